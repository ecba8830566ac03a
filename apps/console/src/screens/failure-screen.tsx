import { TransportError } from '@holdfast/contract'
import { isChunkFailure } from '../chunk-failure.ts'
import { CrashScreen } from './crash-screen.tsx'
import { UnreachableScreen } from './unreachable-screen.tsx'
import { UpdateNotice } from './update-notice.tsx'

/** What takes the place of the console, by what stopped it: a newer version, a server that does not answer, or a fault of ours. */
export function FailureScreen({ error }: { error: unknown }) {
  if (isChunkFailure(error)) return <UpdateNotice />
  if (error instanceof TransportError) return <UnreachableScreen />
  return <CrashScreen error={error} />
}
