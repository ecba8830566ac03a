import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { pinPage } from './pin-page.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
const FILES = new Map([
  ['/mpc/assets/index-1.js', bytes('entry')],
  ['/mpc/assets/react-2.js', bytes('react')],
  ['/mpc/assets/page-3.js', bytes('fetched later')],
  ['/mpc/assets/style-4.css', bytes('style')],
  ['/mpc/mark.svg', bytes('<svg/>')],
])
const PAGE = `<head>
    <link rel="icon" type="image/svg+xml" href="/mpc/mark.svg" />
    <script type="module" crossorigin src="/mpc/assets/index-1.js"></script>
    <link rel="modulepreload" crossorigin href="/mpc/assets/react-2.js">
    <link rel="stylesheet" crossorigin href="/mpc/assets/style-4.css">
  </head>`

test('every script and style of the page is named with its hash, also those that are fetched later', () => {
  const page = pinPage(PAGE, FILES)
  assert.match(page, /src="\/mpc\/assets\/index-1\.js" integrity="sha256-/)
  for (const [path, text] of [
    ['index-1.js', 'entry'],
    ['react-2.js', 'react'],
    ['style-4.css', 'style'],
  ] as const)
    assert.ok(page.includes(`/mpc/assets/${path}" integrity="${hash(text)}"`), path)
  const map = /<script type="importmap">(.*?)<\/script>/.exec(page)?.[1]
  assert.deepEqual(JSON.parse(map!), {
    integrity: { '/mpc/assets/index-1.js': hash('entry'), '/mpc/assets/page-3.js': hash('fetched later'), '/mpc/assets/react-2.js': hash('react') },
  })
  assert.ok(page.indexOf('importmap') < page.indexOf('type="module"'))
  assert.ok(page.includes('href="/mpc/mark.svg" />'))
})

test('a page that names a file nobody built, or no script at all, is no page', () => {
  assert.throws(() => pinPage(PAGE, new Map([...FILES].slice(1))), /index-1\.js/)
  assert.throws(() => pinPage('<head></head>', FILES), /no script/)
})
