import type { ShownPart } from '@holdfast/features/settings/console'
import { lazyPart, LoadingState } from '@holdfast/ui'
import { inOrder } from './features.ts'
import { preferences } from './shell/preferences-part.ts'

/** What the page of settings is made of. */
export const settingsParts: readonly ShownPart[] = inOrder((feature) => [...(feature.settings ?? [])])
  .concat(preferences)
  .toSorted((one, other) => one.order - other.order)
  .map(({ key, label, load }) => ({ key, label, Part: lazyPart(load, <LoadingState rows={6} />) }))
