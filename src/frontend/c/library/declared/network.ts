// What headers declare beside what the models' own headers do. Sockets and names of hosts.
import { c } from '../part.js'
import type { Declared } from './declared.js'

export const NETWORK: Readonly<Record<string, Declared>> = {
  'sys/socket.h': {
    constants: `
SOCK_RAW=3 SOCK_RDM=4 SOCK_SEQPACKET=5 SOCK_DCCP=6 SOCK_PACKET=10 PF_UNSPEC=0 PF_LOCAL=1 PF_FILE=1 PF_AX25=3
PF_IPX=4 PF_APPLETALK=5 PF_NETROM=6 PF_BRIDGE=7 PF_ATMPVC=8 PF_X25=9 PF_INET6=10 PF_ROSE=11 PF_DECnet=12
PF_NETBEUI=13 PF_SECURITY=14 PF_KEY=15 PF_NETLINK=16 PF_ROUTE=16 PF_PACKET=17 PF_ASH=18 PF_ECONET=19 PF_ATMSVC=20
PF_RDS=21 PF_SNA=22 PF_IRDA=23 PF_PPPOX=24 PF_WANPIPE=25 PF_LLC=26 PF_IB=27 PF_MPLS=28 PF_CAN=29 PF_TIPC=30
PF_BLUETOOTH=31 PF_IUCV=32 PF_RXRPC=33 PF_ISDN=34 PF_PHONET=35 PF_IEEE802154=36 PF_CAIF=37 PF_ALG=38 PF_NFC=39
PF_VSOCK=40 PF_KCM=41 PF_QIPCRTR=42 PF_SMC=43 PF_XDP=44 PF_MCTP=45 PF_MAX=46 AF_FILE=1 AF_AX25=3 AF_IPX=4
AF_APPLETALK=5 AF_NETROM=6 AF_BRIDGE=7 AF_ATMPVC=8 AF_X25=9 AF_ROSE=11 AF_DECnet=12 AF_NETBEUI=13 AF_SECURITY=14
AF_KEY=15 AF_NETLINK=16 AF_ROUTE=16 AF_PACKET=17 AF_ASH=18 AF_ECONET=19 AF_ATMSVC=20 AF_RDS=21 AF_SNA=22 AF_IRDA=23
AF_PPPOX=24 AF_WANPIPE=25 AF_LLC=26 AF_IB=27 AF_MPLS=28 AF_CAN=29 AF_TIPC=30 AF_BLUETOOTH=31 AF_IUCV=32 AF_RXRPC=33
AF_ISDN=34 AF_PHONET=35 AF_IEEE802154=36 AF_CAIF=37 AF_ALG=38 AF_NFC=39 AF_VSOCK=40 AF_KCM=41 AF_QIPCRTR=42
AF_SMC=43 AF_XDP=44 AF_MCTP=45 AF_MAX=46 SOL_RAW=255 SOL_DECNET=261 SOL_X25=262 SOL_PACKET=263 SOL_ATM=264
SOL_AAL=265 SOL_IRDA=266 SOL_NETBEUI=267 SOL_LLC=268 SOL_DCCP=269 SOL_NETLINK=270 SOL_TIPC=271 SOL_RXRPC=272
SOL_PPPOL2TP=273 SOL_BLUETOOTH=274 SOL_PNPIPE=275 SOL_RDS=276 SOL_IUCV=277 SOL_CAIF=278 SOL_ALG=279 SOL_NFC=280
SOL_KCM=281 SOL_TLS=282 SOL_XDP=283 SOL_MPTCP=284 SOL_MCTP=285 SOL_SMC=286 MSG_OOB=1 MSG_DONTROUTE=4 MSG_CTRUNC=8
MSG_PROXY=16 MSG_TRUNC=32 MSG_EOR=128 MSG_WAITALL=256 MSG_FIN=512 MSG_SYN=1024 MSG_CONFIRM=2048 MSG_RST=4096
MSG_ERRQUEUE=8192 MSG_MORE=32768 MSG_WAITFORONE=65536 MSG_BATCH=262144 MSG_ZEROCOPY=67108864 MSG_FASTOPEN=536870912
MSG_CMSG_CLOEXEC=1073741824 SCM_RIGHTS=1 SO_DEBUG=1 SO_ACCEPTCONN=30 SO_BROADCAST=6 SO_DONTROUTE=5 SO_OOBINLINE=10
SO_RCVLOWAT=18 SO_SNDLOWAT=19 SO_TYPE=3 SO_TIMESTAMP=29 SO_TIMESTAMPNS=35 SO_TIMESTAMPING=37`,
    text: c`
#include <sys/uio.h>
struct linger { int l_onoff, l_linger; };
struct msghdr { void *msg_name; socklen_t msg_namelen; struct iovec *msg_iov; size_t msg_iovlen; void *msg_control;
  size_t msg_controllen; int msg_flags; };
struct cmsghdr { size_t cmsg_len; int cmsg_level, cmsg_type; unsigned char __cmsg_data[]; };
#define CMSG_DATA(message) ((message)->__cmsg_data)
#define CMSG_ALIGN(size) (((size) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))
#define CMSG_SPACE(size) (CMSG_ALIGN(size) + CMSG_ALIGN(sizeof(struct cmsghdr)))
#define CMSG_LEN(size) (CMSG_ALIGN(sizeof(struct cmsghdr)) + (size))
#define CMSG_FIRSTHDR(message) ((message)->msg_controllen >= sizeof(struct cmsghdr) ? (struct cmsghdr \
  *)(message)->msg_control : (struct cmsghdr *)0)
struct cmsghdr *__cmsg_nxthdr(struct msghdr *, struct cmsghdr *);
#define CMSG_NXTHDR(message, control) __cmsg_nxthdr(message, control)
int getsockname(int, struct sockaddr *, socklen_t *);
int getpeername(int, struct sockaddr *, socklen_t *);
ssize_t sendto(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
ssize_t recvfrom(int, void *, size_t, int, struct sockaddr *, socklen_t *);
ssize_t sendmsg(int, const struct msghdr *, int);
ssize_t recvmsg(int, struct msghdr *, int);
int getsockopt(int, int, int, void *, socklen_t *);
int sockatmark(int);
int accept4(int, struct sockaddr *, socklen_t *, int);
`,
  },
  'sys/un.h': {
    includes: 'sys/socket.h',
    text: c`
struct sockaddr_un { sa_family_t sun_family; char sun_path[108]; };
`,
  },
  'netinet/in.h': {
    includes: 'stdint.h sys/socket.h',
    constants: `
IP_OPTIONS=4 IP_HDRINCL=3 IP_TOS=1 IP_TTL=2 IP_RECVOPTS=6 IP_RECVRETOPTS=7 IP_RETOPTS=7 IP_MULTICAST_IF=32
IP_MULTICAST_TTL=33 IP_MULTICAST_LOOP=34 IP_ADD_MEMBERSHIP=35 IP_DROP_MEMBERSHIP=36 IP_UNBLOCK_SOURCE=37
IP_BLOCK_SOURCE=38 IP_ADD_SOURCE_MEMBERSHIP=39 IP_DROP_SOURCE_MEMBERSHIP=40 IP_MSFILTER=41 IP_ROUTER_ALERT=5
IP_PKTINFO=8 IP_PKTOPTIONS=9 IP_PMTUDISC=10 IP_MTU_DISCOVER=10 IP_RECVERR=11 IP_RECVTTL=12 IP_RECVTOS=13 IP_MTU=14
IP_FREEBIND=15 IP_IPSEC_POLICY=16 IP_XFRM_POLICY=17 IP_PASSSEC=18 IP_TRANSPARENT=19 IP_MULTICAST_ALL=49
IP_ORIGDSTADDR=20 IP_RECVORIGDSTADDR=20 IP_MINTTL=21 IP_NODEFRAG=22 IP_CHECKSUM=23 IP_BIND_ADDRESS_NO_PORT=24
IP_RECVFRAGSIZE=25 IP_RECVERR_RFC4884=26 IP_PMTUDISC_DONT=0 IP_PMTUDISC_WANT=1 IP_PMTUDISC_DO=2 IP_PMTUDISC_PROBE=3
IP_PMTUDISC_INTERFACE=4 IP_PMTUDISC_OMIT=5 IP_UNICAST_IF=50 SOL_IP=0 IP_DEFAULT_MULTICAST_TTL=1
IP_DEFAULT_MULTICAST_LOOP=1 IP_MAX_MEMBERSHIPS=20 IPV6_ADDRFORM=1 IPV6_2292PKTINFO=2 IPV6_2292HOPOPTS=3
IPV6_2292DSTOPTS=4 IPV6_2292RTHDR=5 IPV6_2292PKTOPTIONS=6 IPV6_CHECKSUM=7 IPV6_2292HOPLIMIT=8 IPV6_NEXTHOP=9
IPV6_AUTHHDR=10 IPV6_UNICAST_HOPS=16 IPV6_MULTICAST_IF=17 IPV6_MULTICAST_HOPS=18 IPV6_MULTICAST_LOOP=19
IPV6_JOIN_GROUP=20 IPV6_LEAVE_GROUP=21 IPV6_ROUTER_ALERT=22 IPV6_MTU_DISCOVER=23 IPV6_MTU=24 IPV6_RECVERR=25
IPV6_V6ONLY=26 IPV6_JOIN_ANYCAST=27 IPV6_LEAVE_ANYCAST=28 IPV6_MULTICAST_ALL=29 IPV6_ROUTER_ALERT_ISOLATE=30
IPV6_RECVERR_RFC4884=31 IPV6_IPSEC_POLICY=34 IPV6_XFRM_POLICY=35 IPV6_HDRINCL=36 IPV6_RECVPKTINFO=49 IPV6_PKTINFO=50
IPV6_RECVHOPLIMIT=51 IPV6_HOPLIMIT=52 IPV6_RECVHOPOPTS=53 IPV6_HOPOPTS=54 IPV6_RTHDRDSTOPTS=55 IPV6_RECVRTHDR=56
IPV6_RTHDR=57 IPV6_RECVDSTOPTS=58 IPV6_DSTOPTS=59 IPV6_RECVPATHMTU=60 IPV6_PATHMTU=61 IPV6_DONTFRAG=62
IPV6_RECVTCLASS=66 IPV6_TCLASS=67 IPV6_AUTOFLOWLABEL=70 IPV6_ADDR_PREFERENCES=72 IPV6_MINHOPCOUNT=73
IPV6_ORIGDSTADDR=74 IPV6_RECVORIGDSTADDR=74 IPV6_TRANSPARENT=75 IPV6_UNICAST_IF=76 IPV6_RECVFRAGSIZE=77
IPV6_FREEBIND=78 IPV6_ADD_MEMBERSHIP=20 IPV6_DROP_MEMBERSHIP=21 IPV6_RXHOPOPTS=54 IPV6_RXDSTOPTS=59
IPV6_PMTUDISC_DONT=0 IPV6_PMTUDISC_WANT=1 IPV6_PMTUDISC_DO=2 IPV6_PMTUDISC_PROBE=3 IPV6_PMTUDISC_INTERFACE=4
IPV6_PMTUDISC_OMIT=5 SOL_IPV6=41 SOL_ICMPV6=58 IPV6_RTHDR_LOOSE=0 IPV6_RTHDR_STRICT=1 IPV6_RTHDR_TYPE_0=0
IPPROTO_IP=0 IPPROTO_ICMP=1 IPPROTO_IGMP=2 IPPROTO_IPIP=4 IPPROTO_TCP=6 IPPROTO_EGP=8 IPPROTO_PUP=12 IPPROTO_UDP=17
IPPROTO_IDP=22 IPPROTO_TP=29 IPPROTO_DCCP=33 IPPROTO_IPV6=41 IPPROTO_RSVP=46 IPPROTO_GRE=47 IPPROTO_ESP=50
IPPROTO_AH=51 IPPROTO_MTP=92 IPPROTO_BEETPH=94 IPPROTO_ENCAP=98 IPPROTO_PIM=103 IPPROTO_COMP=108 IPPROTO_SCTP=132
IPPROTO_UDPLITE=136 IPPROTO_MPLS=137 IPPROTO_ETHERNET=143 IPPROTO_RAW=255 IPPROTO_MPTCP=262 IPPROTO_HOPOPTS=0
IPPROTO_ROUTING=43 IPPROTO_FRAGMENT=44 IPPROTO_ICMPV6=58 IPPROTO_NONE=59 IPPROTO_DSTOPTS=60 IPPROTO_MH=135
IN_CLASSA_NET=4278190080 IN_CLASSA_NSHIFT=24 IN_CLASSA_HOST=16777215 IN_CLASSA_MAX=128 IN_CLASSB_NET=4294901760
IN_CLASSB_NSHIFT=16 IN_CLASSB_HOST=65535 IN_CLASSB_MAX=65536 IN_CLASSC_NET=4294967040 IN_CLASSC_NSHIFT=8
IN_CLASSC_HOST=255 INADDR_ANY=0 INADDR_BROADCAST=4294967295 INADDR_NONE=4294967295 INADDR_DUMMY=3221225480
IN_LOOPBACKNET=127 INADDR_LOOPBACK=2130706433 INADDR_UNSPEC_GROUP=3758096384 INADDR_ALLHOSTS_GROUP=3758096385
INADDR_ALLRTRS_GROUP=3758096386 INADDR_ALLSNOOPERS_GROUP=3758096490 INADDR_MAX_LOCAL_GROUP=3758096639
INET_ADDRSTRLEN=16 INET6_ADDRSTRLEN=46`,
    text: c`
typedef uint32_t in_addr_t;
struct in_addr { in_addr_t s_addr; };
typedef uint16_t in_port_t;
struct in6_addr { union { uint8_t __u6_addr8[16]; uint16_t __u6_addr16[8]; uint32_t __u6_addr32[4]; } __in6_u; };
extern const struct in6_addr in6addr_any;
extern const struct in6_addr in6addr_loopback;
struct sockaddr_in { sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; unsigned char
  sin_zero[sizeof (struct sockaddr) - (sizeof (unsigned short)) - sizeof (in_port_t) - sizeof (struct in_addr)]; };
struct sockaddr_in6 { sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo; struct in6_addr
  sin6_addr; uint32_t sin6_scope_id; };
struct ipv6_mreq { struct in6_addr ipv6mr_multiaddr; unsigned int ipv6mr_interface; };
uint32_t ntohl(uint32_t);
uint16_t ntohs(uint16_t);
uint32_t htonl(uint32_t);
uint16_t htons(uint16_t);
`,
  },
  'netinet/tcp.h': {
    constants: `
TCP_NODELAY=1 TCP_MAXSEG=2 TCP_CORK=3 TCP_KEEPIDLE=4 TCP_KEEPINTVL=5 TCP_KEEPCNT=6 TCP_SYNCNT=7 TCP_LINGER2=8
TCP_DEFER_ACCEPT=9 TCP_WINDOW_CLAMP=10 TCP_INFO=11 TCP_QUICKACK=12 TCP_CONGESTION=13 TCP_MD5SIG=14
TCP_COOKIE_TRANSACTIONS=15 TCP_THIN_LINEAR_TIMEOUTS=16 TCP_THIN_DUPACK=17 TCP_USER_TIMEOUT=18 TCP_REPAIR=19
TCP_REPAIR_QUEUE=20 TCP_QUEUE_SEQ=21 TCP_REPAIR_OPTIONS=22 TCP_FASTOPEN=23 TCP_TIMESTAMP=24 TCP_NOTSENT_LOWAT=25
TCP_CC_INFO=26 TCP_SAVE_SYN=27 TCP_SAVED_SYN=28 TCP_REPAIR_WINDOW=29 TCP_FASTOPEN_CONNECT=30 TCP_ULP=31
TCP_MD5SIG_EXT=32 TCP_FASTOPEN_KEY=33 TCP_FASTOPEN_NO_COOKIE=34 TCP_ZEROCOPY_RECEIVE=35 TCP_INQ=36 TCP_CM_INQ=36
TCP_TX_DELAY=37 TCP_REPAIR_ON=1 TCP_REPAIR_OFF=0 TCP_REPAIR_OFF_NO_WP=(-1)`,
    text: c`
`,
  },
  'arpa/inet.h': {
    text: c`
#include <netinet/in.h>
in_addr_t inet_lnaof(struct in_addr);
struct in_addr inet_makeaddr(in_addr_t, in_addr_t);
in_addr_t inet_netof(struct in_addr);
in_addr_t inet_network(const char *);
char *inet_ntoa(struct in_addr);
int inet_pton(int, const char *, void *);
const char *inet_ntop(int, const void *, char *, socklen_t);
`,
  },
  'net/if.h': {
    includes: 'sys/socket.h',
    constants: `
IF_NAMESIZE=16`,
    text: c`
struct if_nameindex { unsigned int if_index; char *if_name; };
unsigned int if_nametoindex(const char *);
char *if_indextoname(unsigned int, char [16]);
struct if_nameindex *if_nameindex(void);
void if_freenameindex(struct if_nameindex *);
`,
  },
  'netdb.h': {
    includes: 'netinet/in.h',
    constants: `
IPPORT_RESERVED=1024 AI_PASSIVE=1 AI_CANONNAME=2 AI_NUMERICHOST=4 AI_V4MAPPED=8 AI_ALL=16 AI_ADDRCONFIG=32
AI_NUMERICSERV=1024 EAI_BADFLAGS=(-1) EAI_NONAME=(-2) EAI_AGAIN=(-3) EAI_FAIL=(-4) EAI_FAMILY=(-6) EAI_SOCKTYPE=(-7)
EAI_SERVICE=(-8) EAI_MEMORY=(-10) EAI_SYSTEM=(-11) EAI_OVERFLOW=(-12) NI_NUMERICHOST=1 NI_NUMERICSERV=2 NI_NOFQDN=4
NI_NAMEREQD=8 NI_DGRAM=16`,
    text: c`
struct netent { char *n_name; char **n_aliases; int n_addrtype; uint32_t n_net; };
struct hostent { char *h_name; char **h_aliases; int h_addrtype; int h_length; char **h_addr_list; };
struct servent { char *s_name; char **s_aliases; int s_port; char *s_proto; };
struct protoent { char *p_name; char **p_aliases; int p_proto; };
struct addrinfo { int ai_flags; int ai_family; int ai_socktype; int ai_protocol; socklen_t ai_addrlen; struct
  sockaddr *ai_addr; char *ai_canonname; struct addrinfo *ai_next; };
void sethostent(int);
void endhostent(void);
struct hostent *gethostent(void);
struct hostent *gethostbyaddr(const void *, socklen_t, int);
struct hostent *gethostbyname(const char *);
void setnetent(int);
void endnetent(void);
struct netent *getnetent(void);
struct netent *getnetbyaddr(uint32_t, int);
struct netent *getnetbyname(const char *);
void setservent(int);
void endservent(void);
struct servent *getservent(void);
struct servent *getservbyname(const char *, const char *);
struct servent *getservbyport(int, const char *);
void setprotoent(int);
void endprotoent(void);
struct protoent *getprotoent(void);
struct protoent *getprotobyname(const char *);
struct protoent *getprotobynumber(int);
int getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
void freeaddrinfo(struct addrinfo *);
const char *gai_strerror(int);
int getnameinfo(const struct sockaddr *, socklen_t, char *, socklen_t, char *, socklen_t, int);
`,
  },
  'ifaddrs.h': {
    includes: 'sys/socket.h',
    text: c`
#define ifa_broadaddr ifa_ifu.ifu_broadaddr
#define ifa_dstaddr ifa_ifu.ifu_dstaddr
struct ifaddrs { struct ifaddrs *ifa_next; char *ifa_name; unsigned ifa_flags; struct sockaddr *ifa_addr; struct
  sockaddr *ifa_netmask; union { struct sockaddr *ifu_broadaddr; struct sockaddr *ifu_dstaddr; } ifa_ifu; void
  *ifa_data; };
int getifaddrs(struct ifaddrs **);
void freeifaddrs(struct ifaddrs *);
`,
  },
}
