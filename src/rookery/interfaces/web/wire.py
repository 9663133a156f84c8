"""Reading from a WebSocket."""

from __future__ import annotations

from fastapi import WebSocket, WebSocketDisconnect


async def next_text(socket: WebSocket) -> str:
    """The next message.

    Raises:
        WebSocketDisconnect: the browser has gone, or sent something that is no text and is let go.
    """
    message = await socket.receive()
    text = message.get("text")
    if isinstance(text, str):
        return text
    if message["type"] == "websocket.receive":
        await socket.close(1003, "only text is read here")
    raise WebSocketDisconnect(message.get("code", 1003))
