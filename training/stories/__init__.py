"""Stories of people, places and things, and questions about them: training data and evaluation."""
