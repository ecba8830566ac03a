import { useEffect, useState } from 'react'
import { isChunkFailure } from '../chunk-failure.ts'
import type { Connection } from '../connection.ts'
import { uncaughtError, uncaughtRejection } from './uncaught.ts'

/**
 * The first error of the page's own scripts that nothing caught. A part that could not be fetched is one only where there is a newer version: otherwise the
 * page stays, says that it waits for the server, and whoever asked for the part can ask again.
 */
export function useUncaughtError(connection: Connection): { error: Error } | undefined {
  const [uncaught, setUncaught] = useState<{ error: Error }>()
  useEffect(() => {
    const fail = (error: Error) => setUncaught((first) => first ?? { error })
    const take = (error: Error | undefined) => {
      if (!error) return
      if (isChunkFailure(error)) connection.mend(error).then(connection.mended, fail)
      else fail(error)
    }
    const onError = (event: ErrorEvent) => take(uncaughtError(event))
    const onRejection = (event: PromiseRejectionEvent) => take(uncaughtRejection(event))
    window.addEventListener('error', onError)
    window.addEventListener('unhandledrejection', onRejection)
    return () => {
      window.removeEventListener('error', onError)
      window.removeEventListener('unhandledrejection', onRejection)
    }
  }, [connection])
  return uncaught
}
