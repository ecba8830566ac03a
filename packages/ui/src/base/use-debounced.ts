import { browserPorts } from '@holdfast/ports/browser'
import { useEffect, useState } from 'react'

const SETTLES_MS = 350

/** A value once it has stopped changing for a moment: what is asked of the server while somebody types. */
export function useDebounced<T>(value: T, settlesMs = SETTLES_MS): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => browserPorts.timer.after(settlesMs, () => setSettled(value)), [value, settlesMs])
  return settled
}
