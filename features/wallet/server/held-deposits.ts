import { sql } from 'kysely'

/** Why a payment to a shared address is held and not credited. */
export const HELD_FOR_COMMENT: readonly string[] = ['comment_missing', 'comment_unknown']
/** Every reason to hold a payment: also, that the ledger cannot take its amount, or that its token does not move what it reports. */
export const HELD_DEPOSITS: readonly string[] = [...HELD_FOR_COMMENT, 'amount_too_large', 'uneven_token']

/** Whether a row of `deposit` is not held: it waits for blocks alone. */
export const isNotHeld = sql<boolean>`(deposit.sub_status is null or deposit.sub_status <> all(${HELD_DEPOSITS}::text[]))`
