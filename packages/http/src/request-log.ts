/** One line of the server's log for each call. It never holds a body, a query, a cookie or a token. */
export type RequestLogEntry = {
  atMs: number
  requestId: string
  ip: string
  method: string
  path: string
  httpStatus: number
  /** The envelope's code, and for a refusal its name. */
  code: string
  errorName?: string
  durationMs: number
  orgId?: string
  personId?: string
  sessionId?: string
  /** The cause of a refusal or a fault; for operators only. */
  cause?: unknown
}

export type RequestLog = (entry: RequestLogEntry) => void
