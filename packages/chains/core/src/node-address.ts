import { nodeUrl } from './fetch-whole.ts'

/** Where the questions for a node go and with what: the name and the password that its URL may hold go in a header. Throws ChainError as `nodeUrl` does. */
export function nodeAddress(rpcUrl: string): { url: string; headers: Record<string, string>; place: string } {
  const url = nodeUrl(rpcUrl)
  const { username, password, host } = url
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (username !== '') headers.authorization = `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`
  url.username = ''
  url.password = ''
  return { url: url.href, headers, place: `the node at ${host}` }
}

/** What an error says at its end: its causes mostly know more than the library that threw it. */
export function innermost(error: unknown): string {
  let message = 'unknown reason'
  for (let next = error, depth = 0; next instanceof Error && depth < 10; next = next.cause, depth++) message = next.message || message
  return message
}
