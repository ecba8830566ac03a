import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const KEPT = new URL('./pictures/', import.meta.url).pathname
const OUTPUT = new URL('../../output/gallery/', import.meta.url).pathname

/** How far a colour channel may be off before a pixel counts as different: smoothing of letters differs a little. */
const CHANNEL_SLACK = 48
/** The share of pixels that may differ. */
const MOST_DIFFERENT = 0.004

/**
 * Compares a picture of the page with the one that was kept under this name. The answer is undefined where they agree, else a
 * sentence. With HOLDFAST_UPDATE_PICTURES=1 the picture is kept instead.
 */
export async function comparePicture(page: Page, name: string, picture: Buffer): Promise<string | undefined> {
  const path = `${KEPT}${name}.png`
  if (process.env.HOLDFAST_UPDATE_PICTURES === '1') {
    mkdirSync(KEPT, { recursive: true })
    writeFileSync(path, picture)
    return undefined
  }
  if (!existsSync(path)) return `${name}: no picture was kept; run the test with HOLDFAST_UPDATE_PICTURES=1 and look at it`
  const kept = readFileSync(path)
  if (kept.equals(picture)) return undefined
  const { size, keptSize, share } = await differenceOf(page, picture, kept)
  if (size === keptSize && share <= MOST_DIFFERENT) return undefined
  mkdirSync(OUTPUT, { recursive: true })
  writeFileSync(`${OUTPUT}${name}.png`, picture)
  return size === keptSize
    ? `${name}: ${(share * 100).toFixed(2)}% of the pixels differ; the new picture is ${OUTPUT}${name}.png`
    : `${name}: it was ${keptSize} pixels and is ${size}; the new picture is ${OUTPUT}${name}.png`
}

/** Draws both pictures in a canvas of the browser and counts the pixels that differ. */
export async function differenceOf(page: Page, picture: Buffer, kept: Buffer): Promise<{ size: string; keptSize: string; share: number }> {
  return await page.evaluate(
    async ({ images, slack }) => {
      const [one, other] = await Promise.all(
        images.map(async (base64) => {
          const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]))
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
          const context = canvas.getContext('2d')!
          context.drawImage(bitmap, 0, 0)
          return { size: `${bitmap.width} x ${bitmap.height}`, pixels: context.getImageData(0, 0, bitmap.width, bitmap.height).data }
        }),
      )
      const [a, b] = [one!.pixels, other!.pixels]
      let different = 0
      for (let at = 0; at < Math.min(a.length, b.length); at += 4) {
        const isOff = [0, 1, 2].some((channel) => Math.abs(a[at + channel]! - b[at + channel]!) > slack)
        if (isOff) different += 1
      }
      return { size: one!.size, keptSize: other!.size, share: different / (a.length / 4) }
    },
    { images: [picture, kept].map((buffer) => buffer.toString('base64')), slack: CHANNEL_SLACK },
  )
}
