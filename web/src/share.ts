// A program in the address: compressed, in the fragment, so that no server ever sees it.
export interface Shared {
  readonly text: string
  readonly property: string
  readonly engine: string
}

export const toFragment = async ({ text, property, engine }: Shared): Promise<string> => {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const code = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  return `#${new URLSearchParams({ property, engine, code })}`
}

/** Nothing, if the fragment is not one of ours. */
export const fromFragment = async (fragment: string): Promise<Shared | undefined> => {
  const values = new URLSearchParams(fragment.replace(/^#/, ''))
  const code = values.get('code')
  if (!code) return undefined
  try {
    const packed = atob(code.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0))
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')))
    return { text, property: values.get('property') ?? 'assert', engine: values.get('engine') ?? 'auto' }
  } catch {
    return undefined
  }
}

const through = async (bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> => {
  const body = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as TransformStream)
  return new Uint8Array(await new Response(body).arrayBuffer())
}
