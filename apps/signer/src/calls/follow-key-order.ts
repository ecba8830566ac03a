import { type Infer, toHex } from '@holdfast/encoding'
import { intentHash } from '@holdfast/intent'
import { retiredStatementShape, type Signed, type signerCalls, signMessage } from '@holdfast/protocol'
import { checkEndorsements } from '../state/endorsements.ts'
import type { Organisation } from '../state/organisation.ts'
import { Refused } from '../checks/refused.ts'
import { sealShareTo } from './share-package.ts'
import type { Signer } from '../signer.ts'
import { verifyKeyOrder } from '../checks/verify-key-order.ts'

type Asked = Infer<typeof signerCalls.followKeyOrder.request>

/** Follows an approved order that changes no share. What it did is on disk before the answer leaves. Throws Refused. */
export async function followKeyOrder({ options }: Signer, organisation: Organisation, { endorsements, ...asked }: Asked): Promise<Signed> {
  const { register, journal, fingerprint } = organisation
  const nowMs = options.ports.clock.nowMs()
  const { intent, key } = verifyKeyOrder(asked, { register, nowMs })
  checkEndorsements(organisation, intent, endorsements, { nowMs, without: [] })
  const { keyId, epoch } = intent
  const hash = intentHash(intent)
  const party = BigInt(organisation.party)
  if (intent.action === 'export') {
    const named = intent.recipients.find((each) => each.party === party)
    if (!named || !key) throw new Refused('c4', 'the order names nobody to whom this signer could seal its share')
    const sealed = await sealShareTo(organisation, options.identity, key, { kind: 'single', ...named }, (length) => options.ports.random.bytes(length))
    if (!register.exports.has(toHex(hash))) await journal.write([{ kind: 'shareExported', keyId, epoch, intentHash: hash }])
    return sealed
  }
  if (!register.outOfUse.has(toHex(keyId))) await journal.write([{ kind: 'keyRetired', keyId, epoch, intentHash: hash }])
  const statement = { genesis: fingerprint, party, keyId, epoch, intentHash: hash, atMs: BigInt(nowMs) }
  return signMessage(retiredStatementShape, statement, party, options.identity.secretKey)
}
