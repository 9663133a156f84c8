from programs import fake

__all__ = ["fake"]
