/** Why a payment to a shared address is held and not credited. */
export const HELD_FOR_COMMENT: readonly string[] = ['comment_missing', 'comment_unknown']
/** Every reason for which a payment is told of and credited to nobody: besides, that no book takes its amount, or that its token does not move what it says. */
export const HELD_DEPOSITS: readonly string[] = [...HELD_FOR_COMMENT, 'amount_too_large', 'uneven_token']
