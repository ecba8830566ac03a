import { known } from '@holdfast/units'
import { decodeQR, decodeQRBatch } from 'qr/decode.js'

type Pixels = { width: number; height: number; data: Uint8ClampedArray }

/** Retries that a picture is worth, where a camera would show the next one meanwhile. */
const PATIENT = { effort: Number.POSITIVE_INFINITY, timeLimit: 3_000 }

/** The text of a QR code that a camera shows, or undefined if it shows none that can be read. */
export function readFrame(pixels: Pixels): string | undefined {
  try {
    return decodeQR(pixels)
  } catch {
    // The decoder throws where there is no code, and for whatever else it cannot make one of.
    return undefined
  }
}

/** The texts of all QR codes of a picture, each once. */
export async function readPixels(pixels: Pixels): Promise<string[]> {
  const [found = []] = await decodeQRBatch([pixels], PATIENT).catch(() => [])
  return [...new Set(found.filter((text) => typeof text === 'string'))]
}

/** Codes are found in pictures of about this many pixels a side: larger ones only take longer, and in tiny ones a module has too few. */
const SIDE_MAX = 2_048
const SIDE_MIN = 512

/** By how much a picture is drawn larger or smaller before it is read. A small one grows by a whole number, so that its modules stay alike. */
export function scaleOf({ width, height }: { width: number; height: number }): number {
  const side = Math.max(width, height)
  return side > SIDE_MAX ? SIDE_MAX / side : Math.max(1, Math.floor(SIDE_MIN / side))
}

/** Draws what is shown and hands out its pixels. */
export function pixelsOf(source: CanvasImageSource, size: { width: number; height: number }): ImageData {
  const scale = scaleOf(size)
  const [width, height] = [Math.max(1, Math.round(size.width * scale)), Math.max(1, Math.round(size.height * scale))]
  const context = known(new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true }), 'a surface to draw on')
  context.imageSmoothingEnabled = scale < 1
  // What is transparent counts as paper.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(source, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}

/** The texts of all QR codes in a picture file, or undefined if the file is no picture that the browser shows. */
export async function readPicture(file: Blob): Promise<string[] | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  try {
    return await readPixels(pixelsOf(bitmap, bitmap))
  } finally {
    bitmap.close()
  }
}
