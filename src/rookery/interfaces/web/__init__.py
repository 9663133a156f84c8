"""The web studio: a page on this machine where people play, watch, raise and compare."""
