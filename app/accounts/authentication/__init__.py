"""Who a request comes from, and how somebody signs in."""
