"""The web studio: a page on this machine where people play, watch, train and compare."""
