import type { Database } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import { type Link, type LinkIdentity, listenLink, on } from '@holdfast/link'
import { currentPolicy } from '@holdfast/features/policy/server'
import { machinesOf, partyOfMachine } from '@holdfast/policy'
import type { Ports } from '@holdfast/ports'
import { coSignerCalls } from '@holdfast/protocol/co-signer-calls'
import type { OrganisationId } from '@holdfast/units'

/** A co-signer as the policy in force of an organisation names it. `party` is the id under which it stands in the steps of rules. */
export type NamedMachine = { orgId: OrganisationId; genesis: Uint8Array; machineId: string; party: Uint8Array; publicKey: Uint8Array }

/** A co-signer that is connected, and how far it was brought: the version of the policy that it goes by, and its own. */
export type Connected = { link: Link; policyVersion: bigint; version: string }

export type MachineDoor = {
  port: number
  /** Reads again whom the policies in force name; links of any other are closed. */
  refresh(): Promise<void>
  named(): readonly NamedMachine[]
  /** The open links by a key, the newest first. */
  linksOf(publicKey: Uint8Array): readonly Link[]
  /** Which links were brought up, by organisation and machine. */
  connected: Map<string, Connected>
  /** Called whenever a link opens or closes. */
  onChange(callback: () => void): () => void
  close(): Promise<void>
}

export const nameOf = ({ orgId, machineId }: Pick<NamedMachine, 'orgId' | 'machineId'>): string => `${orgId} ${machineId}`

/** The door of this process, by its database: features find it by what they are given. */
const doors = new WeakMap<object, MachineDoor>()
export const doorOf = ({ db }: { db: Database }): MachineDoor | undefined => doors.get(db)

type Options = { ports: Ports; db: Database; host: string; port: number; me: LinkIdentity; report: (cause: unknown) => void }

/** Opens the door that co-signers dial in by. Only keys that a policy in force names as a co-signer's are let in. */
export async function listenForMachines({ ports, db, host, port, me, report }: Options): Promise<MachineDoor> {
  let named: readonly NamedMachine[] = await namedMachines(db, ports.clock.nowMs())
  const links = new Map<Link, string | null>()
  const callbacks = new Set<() => void>()
  const changed = () => callbacks.forEach((callback) => callback())
  const isNamed = (key: Uint8Array) => named.some(({ publicKey }) => toHex(publicKey) === toHex(key))
  const seenAs = on(coSignerCalls.seenAs, (_, link) => ({
    address: links.get(link) ?? '',
    atMs: BigInt(Math.floor(ports.clock.nowMs())),
    organisations: named.filter(({ publicKey }) => toHex(publicKey) === toHex(link.peerKey)).map(({ genesis }) => genesis),
  }))
  const listener = await listenLink({
    ports,
    host,
    port,
    me,
    get allowed() {
      return named.map(({ publicKey }) => publicKey)
    },
    handlers: [seenAs],
    onLink: (link, address) => {
      links.set(link, address)
      changed()
      void link.closed.then(() => {
        links.delete(link)
        for (const [name, each] of door.connected) if (each.link === link) door.connected.delete(name)
        changed()
      })
    },
    report,
  })
  const door: MachineDoor = {
    port: listener.port,
    refresh: async () => {
      named = await namedMachines(db, ports.clock.nowMs())
      for (const link of links.keys()) if (!isNamed(link.peerKey)) link.close()
    },
    named: () => named,
    linksOf: (publicKey) => [...links.keys()].filter((link) => toHex(link.peerKey) === toHex(publicKey)).reverse(),
    connected: new Map(),
    onChange: (callback) => {
      callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
    close: async () => {
      doors.delete(db)
      await listener.close()
    },
  }
  doors.set(db, door)
  return door
}

/** The co-signers whom the policies in force name, and whose time is not over. */
async function namedMachines(db: Database, nowMs: number): Promise<NamedMachine[]> {
  const founded = await db.readSystem((tx) => tx.selectFrom('policy_version').select('org_id').where('version', '=', 1n).execute())
  const all = await Promise.all(
    founded.map(async ({ org_id: orgId }) => {
      const { policy, fingerprint: genesis } = await db.readOrganisation(orgId, (tx) => currentPolicy(tx))
      const machines = machinesOf(policy)
      return machines
        .filter(({ kind, expiresAtMs }) => kind === 'coSigner' && expiresAtMs > BigInt(Math.floor(nowMs)))
        .map((each) => ({ orgId, genesis, machineId: each.id, party: partyOfMachine(each), publicKey: each.publicKey }))
    }),
  )
  return all.flat()
}
