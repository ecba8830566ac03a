/** Why there is no picture of a camera: nobody allowed it, there is none, another program has it, or nobody knows. */
export type CameraFault = 'denied' | 'none' | 'busy' | 'failed'

const FAULTS: Record<string, CameraFault> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
}

/** Reads what `getUserMedia` fails with, by the names of the Media Capture specification. */
export function cameraFaultOf(cause: unknown): CameraFault {
  return (cause instanceof Error && Object.hasOwn(FAULTS, cause.name) && FAULTS[cause.name]) || 'failed'
}
