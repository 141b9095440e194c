"""The pages that come from the product, each as a function that returns its Markdown."""
