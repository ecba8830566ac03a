import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * The paths under /mpc of whatever page a feature brings to those who are signed in: nothing has to be added for a new one. Pages about one thing, whose path
 * ends in its id, have walks of their own.
 */
export const PAGES = globSync(`${ROOT}/features/*/console/index.ts`)
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?<=[\s{])'?([\w/]+)'?: \(\) => import\('[^']*-page\.tsx'\)/g)].map(([, path]) => path!))
  .toSorted()

/** The pages that ask for nothing of their own, so that nothing of theirs can fail. */
export const WITHOUT_CALLS: readonly string[] = ['tools']

/** Each page is looked at by people who differ in everything that changes its look. */
export const VIEWS = [
  { name: 'light', lang: 'en_US', colorScheme: 'light', width: 1440 },
  { name: 'dark-chinese-phone', lang: 'zh_CN', colorScheme: 'dark', width: 390 },
] as const

export type View = (typeof VIEWS)[number]

/** Where `npm run pictures` keeps a small picture of each page: a folder for each view, and what the approval page is called there. */
export const PICTURES = join(ROOT, 'docs/pictures')
export const APPROVAL_PAGE = 'approval-page'

/** A page's path, or a path and a tab, as the name of a file. */
export const nameOf = (path: string) => path.replaceAll(/\W+/g, '-')
