import { codecFor } from '@holdfast/chain-registry/codec'
import { EncodingFault, equalBytes, toHex } from '@holdfast/encoding'
import { connectLink, type Handler, on, PeerError, type StandingLink } from '@holdfast/link'
import type { Ports } from '@holdfast/ports'
import { coSignerCalls } from '@holdfast/protocol/co-signer-calls'
import { Refused } from './checks/refused.ts'
import { CoSigner, VERSION } from './co-signer.ts'
import { connectThroughProxy } from './connect-through-proxy.ts'
import { Figures, serveFigures } from './figures.ts'
import { type Config, ConfigError } from './read-config.ts'
import { Journal } from './state/journal.ts'
import type { CoSignerKey } from './state/sealed-key.ts'

type StartPorts = Pick<Ports, 'clock' | 'random' | 'timer' | 'disk' | 'net'>
export type StartOptions = { ports: StartPorts; config: Config; key: CoSignerKey; say: (line: string) => void }

export type RunningCoSigner = { coSigner: CoSigner; link: StandingLink; figuresPort: number | null; close(): Promise<void> }

/** Opens the journal, dials the server and serves the figures. Throws JournalError or ConfigError where this co-signer must not run. */
export async function startCoSigner({ ports, config, key, say }: StartOptions): Promise<RunningCoSigner> {
  const { journal: path, witness: witnessPath } = config.files
  const journal = await Journal.open(ports, { path, witnessPath, key: key.journalKey })
  const figures = new Figures()
  const coSigner = new CoSigner({ ports, config, key, journal, figures, codecFor, say })
  say(`co-signer ${config.machine}, version ${VERSION}, key ${toHex(key.publicKey)}, journal at ${journal.last.position}`)
  const link = dial({ ports, config, key, say }, handlersOf(coSigner, config, { figures, say }))
  measure(figures, { coSigner, journal, link, ports })
  const served = config.figures && (await serveFigures(ports, config.figures, { figures, obstacle: () => obstacleOf(coSigner, link) }))
  return {
    coSigner,
    link,
    figuresPort: served?.port ?? null,
    close: async () => {
      link.close()
      await served?.close()
      await journal.close()
    },
  }
}

/** A link to the server, through the proxy where one is configured, that is dialled again whenever it is lost. */
export function dial({ ports, config, key, say }: StartOptions, handlers: readonly Handler[]): StandingLink {
  const { proxy } = config
  const net = proxy === null ? ports.net : { ...ports.net, connect: (host: string, port: number) => connectThroughProxy(ports, proxy, { host, port }) }
  return connectLink({
    ports: { ...ports, net },
    host: config.server.host,
    port: config.server.port,
    serverKey: config.server.key,
    me: key,
    handlers,
    report: (cause) => say(`failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`),
    onState: (state) => say(state.connected ? 'connected to the server' : `not connected to the server: ${state.reason}`),
  })
}

const obstacleOf = (coSigner: CoSigner, link: StandingLink): string | undefined => (link.connected ? coSigner.obstacle : 'not connected to the server')

type Watched = { figures: Figures; say: (line: string) => void }

/** What it answers the server. Whatever does not hold is said, counted, and answered by no decision. */
function handlersOf(coSigner: CoSigner, { organisation }: Config, { figures, say }: Watched): Handler[] {
  const answered =
    <Q extends { genesis: Uint8Array }, A>(act: (request: Q) => Promise<A> | A) =>
    async (request: Q): Promise<A> => {
      try {
        if (!equalBytes(request.genesis, organisation)) throw new Refused('genesis', 'this co-signer is of another organisation')
        return await act(request)
      } catch (cause) {
        if (cause instanceof Refused) {
          figures.count('refused', cause.check)
          say(`refused (${cause.check}): ${cause.message}`)
          throw new PeerError('refused', cause.message, { check: cause.check, cause })
        }
        if (cause instanceof ConfigError) {
          say(cause.message)
          throw new PeerError('unavailable', 'a file of the co-signer is not as it should be: see its log', { cause })
        }
        if (cause instanceof EncodingFault) throw new PeerError('fault', cause.message, { cause })
        throw cause
      }
    }
  return [
    on(
      coSignerCalls.begin,
      answered(({ genesisRecord, mark }) => ({ version: VERSION, ...coSigner.begin(genesisRecord, mark), mark: coSigner.mark })),
    ),
    on(
      coSignerCalls.follow,
      answered(({ change }) => coSigner.follow(change)),
    ),
    on(
      coSignerCalls.decide,
      answered((request) => coSigner.decide(request)),
    ),
    on(
      coSignerCalls.sent,
      answered(async ({ intent, txid }) => ({ isTold: await coSigner.sent(intent, txid) })),
    ),
    on(
      coSignerCalls.examine,
      answered(async () => ({ version: VERSION, steps: await coSigner.examine() })),
    ),
  ]
}

type Measured = { coSigner: CoSigner; journal: Journal; link: StandingLink; ports: Pick<Ports, 'clock'> }

function measure({ gauges }: Figures, { coSigner, journal, link, ports }: Measured): void {
  const startedMs = ports.clock.monotonicMs()
  const gauge = (name: string, help: string, read: () => number) => gauges.set(`holdfast_co_signer_${name}`, { help, read })
  gauge('connected', '1 while the link to the server is open.', () => Number(link.connected))
  gauge('ready', '1 while an order could be decided.', () => Number(obstacleOf(coSigner, link) === undefined))
  gauge('journal_position', 'Records that the journal holds.', () => journal.last.position)
  gauge('policy_version', 'The newest version of the policy that was followed.', () => Number(journal.register.policy?.version ?? 0n))
  gauge('undecided_orders', 'Orders that were begun and are not decided.', () => [...journal.register.orders.values()].filter((each) => !each.decision).length)
  gauge('uptime_seconds', 'Seconds since this process was started.', () => (ports.clock.monotonicMs() - startedMs) / 1000)
}
