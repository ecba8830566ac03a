import { useEffect, useState } from 'react'
import { uncaughtError, uncaughtRejection } from './uncaught.ts'

/** The first error of the page's own scripts that nothing caught. */
export function useUncaughtError(): { error: Error } | undefined {
  const [uncaught, setUncaught] = useState<{ error: Error }>()
  useEffect(() => {
    const take = (error: Error | undefined) => error && setUncaught((first) => first ?? { error })
    const onError = (event: ErrorEvent) => take(uncaughtError(event))
    const onRejection = (event: PromiseRejectionEvent) => take(uncaughtRejection(event))
    window.addEventListener('error', onError)
    window.addEventListener('unhandledrejection', onRejection)
    return () => {
      window.removeEventListener('error', onError)
      window.removeEventListener('unhandledrejection', onRejection)
    }
  }, [])
  return uncaught
}
