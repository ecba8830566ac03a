import { encode, fromHex, toHex } from '@holdfast/encoding'
import { acceptanceShape, acceptGenesisChallenge, type Assertion, AssertionRefused, verifyAssertion } from '@holdfast/intent'
import { known } from '@holdfast/units'
import type { App } from './app.ts'
import { signWithDeviceKey } from './keys/device-key.ts'
import type { KeyRecord } from './keys/key-store.ts'
import { makeKey } from './keys/make-key.ts'
import { signWithPasskey } from './keys/passkey.ts'
import { PageError } from './page-error.ts'
import { type Founder, founderOf, type Founding } from './read/read-founding.ts'
import type { Member, Setup } from './read/signer-api.ts'

/** Stands in the founding document, so that nobody takes a demo for an organisation of several people. */
export const DEMO_LABEL = 'Demo key'

/** Makes a key for a member, keeps it, and then tells the signer its public half. Throws PageError. */
export async function enrolMember(app: App, token: string, setup: Setup, member: Member, kind: KeyRecord['kind']): Promise<Setup> {
  const owner = { personId: member.person_id, personName: member.name, organisation: setup.name }
  const { credential } = await makeKey(app, owner, kind, setup.demo ? DEMO_LABEL : undefined)
  return app.api.enrol(token, member.person_id, credential)
}

/** Signs the founding document as one member, and checks the signature against the document before it is sent. */
export async function acceptFounding(app: App, token: string, founding: Founding, member: Member): Promise<Setup> {
  const founder = founderOf(founding, member, await app.keys.all())
  const challenge = acceptGenesisChallenge(founding.fingerprint, founder.person.id)
  const assertion = await signAs(app, founder, founding, challenge)
  checkOwn(founder, assertion, founding, challenge)
  const accepted = { ...founder.key, acceptedGenesis: toHex(founding.fingerprint) }
  await app.keys.put(accepted)
  return app.api.accept(token, toHex(encode(acceptanceShape, { genesis: founding.fingerprint, person: founder.person.id, assertion })))
}

async function signAs(app: App, founder: Founder, founding: Founding, challenge: Uint8Array): Promise<Assertion> {
  const id = fromHex(founder.key.id)
  if (founder.key.kind === 'device') return signWithDeviceKey(founder.key, id, challenge, app.origin)
  const origin = founding.genesis.policy.origins.find((each) => each.origin === app.origin)
  return signWithPasskey([id], challenge, origin?.rpId ?? app.rpId)
}

function checkOwn(founder: Founder, assertion: Assertion, founding: Founding, challenge: Uint8Array): void {
  const credential = known(
    founder.person.credentials.find((each) => toHex(each.id) === founder.key.id),
    'the key of this browser in the founding document',
  )
  try {
    verifyAssertion({ assertion, credential, challenge, origins: founding.genesis.policy.origins })
  } catch (cause) {
    if (cause instanceof AssertionRefused) throw new PageError('wouldNotCount', '', { cause, refusal: cause.refusal })
    throw cause
  }
}
