/** Something about the database that the operator must change; the message says what. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/** The transaction did not go through because others kept changing the same rows, or no connection came free. Nothing was written; asking again is safe. */
export class DatabaseBusyError extends DatabaseError {
  override name = 'DatabaseBusyError'
}
