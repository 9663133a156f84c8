"""The ways in and out: the terminal, protocols, the web. They alone print, and they alone read."""
