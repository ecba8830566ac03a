import { useSession } from '@holdfast/features/session/console'
import { useState } from 'react'

const KEY = 'holdfast.first-steps-hidden'

/** The organisations whose first steps this browser shows no more, by comma. */
const hidden = () => new Set((localStorage.getItem(KEY) ?? '').split(',').filter(Boolean))

/** Whether the first steps of this organisation were hidden in this browser, and what hides them. */
export function useFirstStepsHidden(): [boolean, () => void] {
  const organisation = useSession()?.session?.organisation_id ?? ''
  const [isHidden, setHidden] = useState(() => hidden().has(organisation))
  const hide = () => {
    localStorage.setItem(KEY, [...hidden().add(organisation)].join(','))
    setHidden(true)
  }
  return [isHidden, hide]
}
