import type { People } from '@holdfast/features/strategy/console'
import type { Known } from './typed.ts'

/** The people and groups that a rule can name. */
export function peopleOf({ people, groups }: Pick<Known, 'people' | 'groups'>): People {
  return {
    groups: groups.map(({ id, name, members }) => ({ id, name, members: members.map((each) => each.person_id) })),
    known: { people: people.map((each) => ({ id: each.person_id, name: each.name, has_key: each.has_key })) },
  }
}
