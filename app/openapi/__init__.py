"""The OpenAPI document: descriptions and examples beside what the code says itself."""
