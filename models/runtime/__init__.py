"""The runtimes that execute a network: PyTorch, ONNX Runtime, native kernels."""
