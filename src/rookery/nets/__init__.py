"""Networks. Modules here that import torch are for training; those that play read ONNX."""
