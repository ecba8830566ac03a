const SVG = 'http://www.w3.org/2000/svg'

/** The mark of the console, drawn here: the page loads no picture. */
export function mark(): SVGSVGElement {
  const svg = shape('svg', { viewBox: '0 0 32 32', class: 'mark', 'aria-hidden': 'true' }) as SVGSVGElement
  const lines = { d: 'M16 6.5v7.2M16 13.7 9 23M16 13.7 23 23', fill: 'none', stroke: '#fff', 'stroke-width': '2.4', 'stroke-linecap': 'round' }
  const knot = (cx: string, cy: string, r: string, opacity = '1') => shape('circle', { cx, cy, r, fill: '#fff', opacity })
  svg.append(shape('rect', { width: '32', height: '32', rx: '8', fill: '#2a4fb8' }), shape('path', lines))
  svg.append(knot('16', '13.7', '3.1'), knot('9', '23.4', '2.5'), knot('23', '23.4', '2.5'), knot('16', '6.9', '2.5', '.55'))
  return svg
}

function shape(tag: string, attributes: Record<string, string>): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}
