// <sys/socket.h> and <arpa/inet.h>. Sockets are descriptors, whose functions files.ts models.
import { c, type LibraryPart } from '../part.js'

const SOCKET = c`
#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H 1
#include <sys/types.h>
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_storage {
  sa_family_t ss_family;
  char __padding[118];
  unsigned long __align;
};
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_NONBLOCK 2048
#define SOCK_CLOEXEC 524288
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL 1
#define AF_INET 2
#define AF_INET6 10
#define PF_UNIX AF_UNIX
#define PF_INET AF_INET
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_KEEPALIVE 9
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define MSG_PEEK 2
#define MSG_DONTWAIT 64
#define MSG_NOSIGNAL 16384
#define SOMAXCONN 4096
extern int socket(int, int, int);
extern int socketpair(int, int, int, int *);
extern int bind(int, const struct sockaddr *, socklen_t);
extern int listen(int, int);
extern int accept(int, struct sockaddr *, socklen_t *);
extern int connect(int, const struct sockaddr *, socklen_t);
extern int shutdown(int, int);
extern int setsockopt(int, int, int, const void *, socklen_t);
extern ssize_t send(int, const void *, size_t, int);
extern ssize_t recv(int, void *, size_t, int);
#endif
`

const BYTEORDER = c`
#ifndef _ARPA_INET_H
#define _ARPA_INET_H 1
extern unsigned short htons(unsigned short);
extern unsigned short ntohs(unsigned short);
extern unsigned int htonl(unsigned int);
extern unsigned int ntohl(unsigned int);
#endif
`

const BYTEORDER_MODELS = c`
#include <arpa/inet.h>

unsigned short htons(unsigned short number)
{
  return (unsigned short)(number << 8 | number >> 8);
}

unsigned short ntohs(unsigned short number)
{
  return (unsigned short)(number << 8 | number >> 8);
}

unsigned int htonl(unsigned int number)
{
  return number << 24 | (number << 8 & 0xff0000) | (number >> 8 & 0xff00) | number >> 24;
}

unsigned int ntohl(unsigned int number)
{
  return number << 24 | (number << 8 & 0xff0000) | (number >> 8 & 0xff00) | number >> 24;
}
`

export const SOCKETS: LibraryPart = {
  headers: {
    'sys/socket.h': SOCKET,
    'arpa/inet.h': BYTEORDER,
  },
  models: {
    '<heddle/byteorder.c>': BYTEORDER_MODELS,
  },
}
