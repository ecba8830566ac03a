import { codecFor } from '@holdfast/chain-registry/codec'
import { toHex } from '@holdfast/encoding'
import { connectLink } from '@holdfast/link'
import type { Ports } from '@holdfast/ports'
import { pageCall } from '@holdfast/protocol'
import { type AskServer, createApprovalApi, type JsonRecord } from './page/approval-api.ts'
import { readApprovalPage, serveApprovals } from './page/approval-server.ts'
import { createCalls, handlersOf } from './calls/calls.ts'
import type { Config } from './config.ts'
import { openIdentity } from './state/identity.ts'
import { Signer } from './signer.ts'
import { openVaultKeys } from './state/vault-key.ts'

type StartPorts = Pick<Ports, 'clock' | 'random' | 'kernelRandom' | 'timer' | 'disk' | 'net'>
/** `say` gets a line for the log; `pageFolder` is where the built approval page is. */
type StartOptions = { ports: StartPorts; config: Config; pageFolder: string; say: (line: string) => void }

const PAGE_CALL_MAX_MS = 15_000

/**
 * Opens everything, dials the server and serves the approval page. Throws ConfigError, VaultError or JournalError if
 * this signer must not run.
 */
export async function startSigner({ ports, config, pageFolder, say }: StartOptions): Promise<{
  signer: Signer
  approvalPort: number | null
  close(): Promise<void>
}> {
  const vaultKeys = await openVaultKeys(ports, config, { create: false })
  const identity = await openIdentity(ports, config.identityPath, vaultKeys.identity)
  const page = config.approval && (await readApprovalPage(ports.disk, pageFolder))
  const signer = await Signer.open({ ports, config, identity, vaultKeys, codecFor, pageHash: page?.hash ?? null })
  say(`signer ${config.party} (${config.name}), key ${toHex(identity.publicKey)}, serves ${signer.organisations.size} organisation(s)`)

  const report = (cause: unknown) => say(`failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`)
  const link = connectLink({
    ports,
    host: config.server.host,
    port: config.server.port,
    serverKey: config.server.key,
    me: identity,
    handlers: handlersOf(createCalls(signer)),
    report,
    onState: (state) => {
      say(state.connected ? 'connected to the server' : `not connected to the server: ${state.reason}`)
      // A server that was stopped in the middle of a session would find its key busy until the silence has lasted long enough.
      if (!state.connected) void signer.sessions.endAll('the link to the server was lost').catch(report)
    },
  })
  const askServer: AskServer = async (method, body) => {
    const answer = await link.call(pageCall, { method, body: JSON.stringify(body) }, { timeoutMs: PAGE_CALL_MAX_MS })
    return { status: Number(answer.status), body: parseRecord(answer.body) }
  }
  const api = createApprovalApi(signer, askServer)
  const approvals = config.approval && page && (await serveApprovals({ ports, origin: config.approval, page, api, report }))
  if (config.approval && page) say(`approval page at ${config.approval.origin}, SHA-256 ${toHex(page.hash)}`)

  return {
    signer,
    approvalPort: approvals?.port ?? null,
    close: async () => {
      link.close()
      await approvals?.close()
      await signer.close()
    },
  }
}

function parseRecord(text: string): JsonRecord {
  try {
    const parsed: unknown = JSON.parse(text)
    if (parsed !== null && typeof parsed === 'object') return parsed as JsonRecord
  } catch {
    // Falls through: an answer that is no record says nothing.
  }
  return {}
}
