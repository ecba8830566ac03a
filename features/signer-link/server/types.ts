import type { Infer, Shape } from '@holdfast/encoding'
import type { CallDefinition, SessionRequest, Signed } from '@holdfast/protocol'

/**
 * What is done between the joins and the first message: `states` says how much of the log each signer has that spoke, `words` is what each said of a session that
 * signs.
 */
export type OnJoined = (states: readonly { logSize: bigint }[], words: readonly Signed[]) => Promise<void>

/** The link keys of signers 1, 2 and 3 of an organisation, by the policy in force. `genesis` is its fingerprint. */
export type NamedSigners = { genesis: Uint8Array; signKeys: readonly Uint8Array[] }

/** The three signers as the server knows them: it can ask and relay, never command. */
export type CoSigners = {
  /** Indexes (1 to 3) of the signers that are connected now. */
  online(): number[]
  /**
   * One call to one signer, of the organisation that the call names in `genesis`; of `organisation`, its fingerprint, where the call names none. Throws
   * CoSignerError.
   */
  call<Q extends Shape, A extends Shape>(party: number, definition: CallDefinition<Q, A>, value: Infer<Q>, organisation?: Uint8Array): Promise<Infer<A>>
  /**
   * Runs a whole session between the signers the request names, relaying their messages round by round.
   * Returns each party's result bytes (see `signerCalls.deliver`). Throws CoSignerError; a new session may then be tried
   * unless its kind is `refused` or `cheat`. A session that signs needs the word of every signer, or that people said that the one is away that takes no
   * part. `onJoined` is called when all have joined and spoken and none has been told to begin, so that no message of the protocol exists yet; where it throws,
   * none ever will in this session.
   */
  runSession(request: SessionRequest, onJoined?: OnJoined): Promise<Map<number, Uint8Array>>
  /** Lets in the signers that the policies in force name, all organisations', and nobody else: links of any other are closed. */
  admit(named: readonly NamedSigners[]): void
  /** Called whenever a signer connects or leaves. Returns the function that ends the subscription. */
  onChange(callback: () => void): () => void
  /** Answers the approval page's calls, which arrive through a signer. */
  onPage(handler: (method: string, body: unknown) => Promise<{ status: number; body: unknown }>): void
}
