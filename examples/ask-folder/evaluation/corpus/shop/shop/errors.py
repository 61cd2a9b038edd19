"""What a handler raises; the application turns it into a response."""


class ShopError(Exception):
    code = "error"
    status = 500


class NotFound(ShopError):
    code = "not_found"
    status = 404


class OutOfStock(ShopError):
    code = "out_of_stock"
    status = 409


class AccountLocked(ShopError):
    code = "account_locked"
    status = 423


class InvalidDiscount(ShopError):
    code = "invalid_discount"
    status = 422


class PaymentDeclined(ShopError):
    code = "payment_declined"
    status = 402


class StepNotAllowed(ShopError):
    code = "step_not_allowed"
    status = 409
