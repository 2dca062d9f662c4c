// Makes the page work offline after the first visit, and cross-origin isolated on servers that set no headers: without
// isolation there is no shared memory, and the solver needs it.
const CACHE = 'heddle-HEDDLE_BUILD'

const isolated = (response) => {
  if (response.status === 0) return response
  const headers = new Headers(response.headers)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

self.addEventListener('install', (event) => {
  const FILES = HEDDLE_FILES
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  )
})
self.addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name !== CACHE).map((name) => caches.delete(name))
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names)))
      .then(() => self.clients.claim()),
  )
})
self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return
  event.respondWith(
    caches
      .match(event.request, { ignoreSearch: true })
      .then((known) => isolated(known ?? Response.error()))
      .then((response) => (response.status === 0 ? fetch(event.request).then(isolated) : response)),
  )
})
