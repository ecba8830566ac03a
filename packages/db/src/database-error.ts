/** Something about the database that the operator must change; the message says what. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/** The transaction failed because others kept changing the same rows, or no connection came free. Nothing was written; it is safe to try again. */
export class DatabaseBusyError extends DatabaseError {
  override name = 'DatabaseBusyError'
}

/**
 * The connection was lost, or none is available now. The transaction was written whole or not at all, and it is not known which: try again in
 * a way that does nothing twice.
 */
export class DatabaseAwayError extends DatabaseError {
  override name = 'DatabaseAwayError'
}
