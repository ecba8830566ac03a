/** Something about the database that the operator must change; the message says what. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/** The transaction did not go through because others kept changing the same rows, or no connection came free. Nothing was written; asking again is safe. */
export class DatabaseBusyError extends DatabaseError {
  override name = 'DatabaseBusyError'
}

/**
 * The connection was lost, or none can be had now. What was under way is either written whole or not at all, and which of the two is not known: ask again, in
 * a way that does nothing twice.
 */
export class DatabaseAwayError extends DatabaseError {
  override name = 'DatabaseAwayError'
}
