/**
 * Sends a form with a file as `fetch` does, and tells how much of it has left: `fetch` of browsers cannot. Rejects with the TypeError of a `fetch` that got no
 * answer, and with the reason of a signal that ended it.
 */
export function upload(url: string, { method, headers, body, signal }: RequestInit, onSent: (part: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method ?? 'POST', url)
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onSent(loaded / total)
    })
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })))
    request.addEventListener('error', () => reject(new TypeError('the server could not be reached')))
    request.addEventListener('abort', () => reject(signal?.reason ?? new TypeError('the sending was ended')))
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', abort)
    request.send(body as FormData)
  })
}
