export const pngOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((done, fail) => {
    canvas.toBlob(blob => {
      if (blob === null) fail(new Error('The picture is too large for the browser.'))
      else done(blob)
    }, 'image/png')
  })
