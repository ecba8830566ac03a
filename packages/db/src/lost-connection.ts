/** Codes of PostgreSQL that end a connection, or refuse one, for now. */
const SERVER_CODES = new Set([
  // Ended by an administrator, by a crash of another process, because the database was dropped; starting or stopping; ended after waiting for us too long.
  ...['57P01', '57P02', '57P03', '57P05', '25P03'],
  // No free slot for another connection.
  '53300',
])
/** Class 08 of SQLSTATE: connection exceptions. */
const CONNECTION_CLASS = '08'
/** Codes of the operating system, for a server that is not there, cannot be reached or went away. ENOENT is the socket of one that was not started. */
const SYSTEM_CODES = new Set(
  ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOENT', 'ETIMEDOUT'].concat(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENOTFOUND', 'EAI_AGAIN']),
)
/** What the driver says if neither the server nor the system has a code for it. */
const DRIVER_WORDS = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
  'This socket has been ended',
]

/** Whether an error says that the connection is gone or unavailable, and nothing about the query. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = String((error as { code?: unknown }).code ?? '')
  if (SERVER_CODES.has(code) || SYSTEM_CODES.has(code) || (code.length === 5 && code.startsWith(CONNECTION_CLASS))) return true
  if (error instanceof AggregateError) return error.errors.some(isLostConnection)
  return DRIVER_WORDS.some((words) => error.message.startsWith(words))
}
