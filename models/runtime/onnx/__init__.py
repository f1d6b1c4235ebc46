"""Running networks as ONNX graphs, and exporting them."""
