import { browserPorts } from '@holdfast/ports/browser'

const KEEP_MS = 10_000

/** Hands bytes, in one piece or several, to the browser as a file to save. */
export function downloadFile(name: string, ...pieces: Uint8Array<ArrayBuffer>[]): void {
  const url = URL.createObjectURL(new Blob(pieces, { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  browserPorts.timer.after(KEEP_MS, () => URL.revokeObjectURL(url))
}
