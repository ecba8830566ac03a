import { browserPorts } from '@holdfast/ports/browser'

const KEEP_MS = 10_000

/** Hands bytes to the browser as a file to save. */
export function downloadFile(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  browserPorts.timer.after(KEEP_MS, () => URL.revokeObjectURL(url))
}
