import { createClient, createCookieJar } from '@holdfast/contract'
import { getState } from '@holdfast/features/session/contract'
import { inviteIn } from '@holdfast/features/session/invite-link'
import { createSetup, getSetup } from '@holdfast/features/setup/contract'
import type { Ports } from '@holdfast/ports'
import { known, last } from '@holdfast/units'
import type { LocalSettings } from './local-settings.ts'
import { createTerminalMember, type TerminalMember } from './terminal-member.ts'
import { waitUntil } from './wait-until.ts'

export type FoundedOrganisation = { members: TerminalMember[]; fingerprint: string }

/** Founds a demo organisation whose members all sit at this terminal: enrols their keys, has them accept, waits for the pins, signs them in. */
export async function foundOrganisation(
  ports: Ports,
  settings: LocalSettings,
  wanted: { name: string; members: string[]; threshold: number },
): Promise<FoundedOrganisation> {
  const founder = createClient({
    baseUrl: settings.consoleOrigin,
    fetch: ports.fetch,
    timer: ports.timer,
    cookieJar: createCookieJar(),
    headers: () => ({ language: 'en_US', timezone: 'UTC' }),
  })
  await founder.call(getState, {})
  const { setup_token: token, setup } = await founder.call(createSetup, { ...wanted, demo: true })
  const pageToken = last(known(setup.demo_url, 'the link of a trial').split('/'))
  const members = setup.members.map((each) => createTerminalMember(ports, settings, { personId: each.person_id, name: each.name }))
  for (const member of members) await member.enrol(pageToken)
  const { genesis } = await waitUntil(ports, 'the genesis document', async () => {
    const { setup: now } = await founder.call(getSetup, { setup_token: token })
    return now.genesis === null ? undefined : { genesis: now.genesis }
  })
  for (const member of members) await member.accept(pageToken, genesis)
  const ready = await waitUntil(ports, 'the signers to pin the organisation', async () => {
    const { setup: now } = await founder.call(getSetup, { setup_token: token })
    return now.state === 'ready' ? now : undefined
  })
  for (const member of members) {
    const url = known(ready.members.find((each) => each.person_id === member.personId)?.sign_in_url, `the link of member ${member.personId}`)
    await member.register(known(inviteIn(new URL(url).hash), 'the invitation in the link'))
  }
  return { members, fingerprint: known(ready.fingerprint, 'the fingerprint') }
}
