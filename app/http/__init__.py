"""HTTP that every route shares: negotiation, bodies, forms, responses, validation errors."""
