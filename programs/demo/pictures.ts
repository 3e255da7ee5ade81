import { isOfNetwork } from './messages.ts'

/** Pictures at the network's addresses come over its port, since the page's policy lets the browser ask no other host. */
export function loadPicturesWith(load: typeof fetch, images: HTMLImageElement): void {
  images.setAttribute = function setAttribute(name, value) {
    const setOwn = (own: string, to: string): void => Element.prototype.setAttribute.call(this, own, to)
    if (name !== 'src' || !URL.canParse(value) || !isOfNetwork(value)) return setOwn(name, value)
    load(value)
      .then(answer => answer.blob())
      .then(
        blob => {
          const address = URL.createObjectURL(blob)
          this.addEventListener('load', () => URL.revokeObjectURL(address), { once: true })
          setOwn(name, address)
        },
        () => undefined,
      )
  }
}
