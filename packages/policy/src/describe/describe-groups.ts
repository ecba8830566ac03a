import type { Locale } from '@holdfast/intent'
import { groupsOf } from '../people/groups.ts'
import { nameWho } from '../people/who.ts'
import type { Policy } from '../policy.ts'

const WORDS = {
  'en-US': (name: string, members: string) => `Group “${name}”: ${members}`,
  'zh-CN': (name: string, members: string) => `“${name}”组：${members}`,
}

/** The groups of a policy, a line each. */
export function groupLines(policy: Policy, locale: Locale): string[] {
  return groupsOf(policy).map(({ name, members }) =>
    WORDS[locale](
      name,
      nameWho(
        policy,
        members.map((id) => ({ kind: 'person', id })),
        locale,
      ),
    ),
  )
}
