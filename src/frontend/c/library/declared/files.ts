// What headers declare beside what the models' own headers do. Files, and what waits for them.
import { c } from '../part.js'
import type { Declared } from './declared.js'

export const FILES: Readonly<Record<string, Declared>> = {
  'stdio.h': {
    constants: `
TMP_MAX=238328 L_ctermid=9 FOPEN_MAX=16`,
    text: c`
#ifdef __LP64__
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
typedef long off_t;
typedef struct { long __position; } fpos_t;
int renameat(int, const char *, int, const char *);
char *tmpnam(char[20]);
char *tempnam(const char *, const char *);
FILE *fmemopen(void *, size_t, const char *);
FILE *open_memstream(char **, size_t *);
int vdprintf(int, const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
int vscanf(const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
int vscanf(const char *, va_list);
int getc_unlocked(FILE *);
int getchar_unlocked(void);
ssize_t getdelim(char **, size_t *, int, FILE *);
ssize_t getline(char **, size_t *, FILE *);
int fseeko(FILE *, off_t, int);
off_t ftello(FILE *);
int fgetpos(FILE *, fpos_t *);
int fsetpos(FILE *, const fpos_t *);
int pclose(FILE *);
FILE *popen(const char *, const char *);
char *ctermid(char *);
int ftrylockfile(FILE *);
int asprintf(char **, const char *, ...);
int vasprintf(char **, const char *, va_list);
`,
  },
  'stdlib.h': {
    constants: `
WNOHANG=1 WUNTRACED=2 WSTOPPED=2 WEXITED=4 WCONTINUED=8 WNOWAIT=16777216`,
    text: c`
long double strtold(const char *, char **);
char *l64a(long);
long a64l(const char *);
char *initstate(unsigned int, char *, size_t);
char *setstate(char *);
double drand48(void);
double erand48(unsigned short [3]);
long lrand48(void);
long nrand48(unsigned short [3]);
long mrand48(void);
long jrand48(unsigned short [3]);
void srand48(long);
unsigned short *seed48(unsigned short [3]);
void lcong48(unsigned short [7]);
int at_quick_exit(void (*) (void));
int putenv(char *);
char *mkdtemp(char *);
int mblen(const char *, size_t);
int mbtowc(wchar_t *, const char *, size_t);
int wctomb(char *, wchar_t);
size_t mbstowcs(wchar_t *, const char *, size_t);
size_t wcstombs(char *, const wchar_t *, size_t);
int getsubopt(char **, char *const *, char **);
int posix_openpt(int);
int grantpt(int);
int unlockpt(int);
char *ptsname(int);
int getloadavg(double *, int);
void *reallocarray(void *, size_t, size_t);
char *secure_getenv(const char *);
`,
  },
  'unistd.h': {
    constants: `
F_ULOCK=0 F_LOCK=1 F_TLOCK=2 F_TEST=3`,
    text: c`
#include <stdint.h>
typedef unsigned int socklen_t;
int faccessat(int, const char *, int, int);
int chown(const char *, uid_t, gid_t);
int fchown(int, uid_t, gid_t);
int lchown(const char *, uid_t, gid_t);
int fchownat(int, const char *, uid_t, gid_t, int);
int fchdir(int);
int execve(const char *, char *const [], char *const []);
int fexecve(int, char *const [], char *const []);
int execv(const char *, char *const []);
int execle(const char *, const char *, ...);
int execl(const char *, const char *, ...);
int execvp(const char *, char *const []);
int execlp(const char *, const char *, ...);
int nice(int);
long pathconf(const char *, int);
long fpathconf(int, int);
size_t confstr(int, char *, size_t);
pid_t getpgrp(void);
pid_t getpgid(pid_t);
int setpgid(pid_t, pid_t);
int setpgrp(void);
pid_t setsid(void);
pid_t getsid(pid_t);
gid_t getegid(void);
int getgroups(int, gid_t []);
int setuid(uid_t);
int setreuid(uid_t, uid_t);
int seteuid(uid_t);
int setgid(gid_t);
int setregid(gid_t, gid_t);
int setegid(gid_t);
char *ttyname(int);
int ttyname_r(int, char *, size_t);
int link(const char *, const char *);
int linkat(int, const char *, int, const char *, int);
int symlink(const char *, const char *);
ssize_t readlink(const char *, char *, size_t);
int symlinkat(const char *, int, const char *);
ssize_t readlinkat(int, const char *, char *, size_t);
int unlinkat(int, const char *, int);
int rmdir(const char *);
pid_t tcgetpgrp(int);
int tcsetpgrp(int, pid_t);
char *getlogin(void);
int getlogin_r(char *, size_t);
long gethostid(void);
void sync(void);
int truncate(const char *, off_t);
int lockf(int, int, off_t);
int fdatasync(int);
void swab(const void *, void *, ssize_t);
int pipe2(int *, int);
int dup3(int, int, int);
extern char **environ;
int getentropy(void *, size_t);
int daemon(int, int);
void *sbrk(long);
int execvpe(const char *, char *const [], char *const []);
pid_t vfork(void);
`,
  },
  'fcntl.h': {
    includes: 'sys/stat.h',
    constants: `
F_GETLK64=5 F_SETLK64=6 F_SETLKW64=7 O_ACCMODE=3 O_NOCTTY=256 O_NDELAY=2048 O_SYNC=1052672 O_FSYNC=1052672
O_ASYNC=8192 F_GETLK=5 F_SETLK=6 F_SETLKW=7 O_DIRECTORY=65536 O_NOFOLLOW=131072 O_CLOEXEC=524288 O_DSYNC=4096
O_RSYNC=1052672 F_DUPFD=0 F_GETFD=1 F_SETFD=2 F_GETFL=3 F_SETFL=4 F_SETOWN=8 F_GETOWN=9 F_DUPFD_CLOEXEC=1030
FD_CLOEXEC=1 F_RDLCK=0 F_WRLCK=1 F_UNLCK=2 F_EXLCK=4 F_SHLCK=8 POSIX_FADV_NORMAL=0 POSIX_FADV_RANDOM=1
POSIX_FADV_SEQUENTIAL=2 POSIX_FADV_WILLNEED=3 POSIX_FADV_DONTNEED=4 POSIX_FADV_NOREUSE=5 AT_FDCWD=(-100)
AT_SYMLINK_NOFOLLOW=256 AT_REMOVEDIR=512 AT_SYMLINK_FOLLOW=1024 AT_EACCESS=512 UTIME_NOW=1073741823
UTIME_OMIT=1073741822 SEEK_SET=0 SEEK_CUR=1 SEEK_END=2`,
    text: c`
struct flock { short l_type, l_whence; off_t l_start, l_len; pid_t l_pid; };
int openat(int, const char *, int, ...);
int creat(const char *, mode_t);
int posix_fadvise(int, off_t, off_t, int);
int posix_fallocate(int, off_t, off_t);
int fallocate(int, int, off_t, off_t);
`,
  },
  'sys/stat.h': {
    constants: `
UTIME_NOW=1073741823 UTIME_OMIT=1073741822 S_IFCHR=8192 S_IFBLK=24576 S_IFIFO=4096 S_IFSOCK=49152 S_ISUID=2048
S_ISGID=1024 S_ISVTX=512`,
    text: c`
#define S_ISCHR(mode) (((mode) & S_IFMT) == 0020000)
#define S_ISBLK(mode) (((mode) & S_IFMT) == 0060000)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == 0010000)
#define S_ISLNK(mode) (((mode) & S_IFMT) == 0120000)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == 0140000)
int fstatat(int, const char *, struct stat *, int);
int fchmod(int, mode_t);
int fchmodat(int, const char *, mode_t, int);
int mkdirat(int, const char *, mode_t);
int mknod(const char *, mode_t, dev_t);
int mknodat(int, const char *, mode_t, dev_t);
int mkfifo(const char *, mode_t);
int mkfifoat(int, const char *, mode_t);
int utimensat(int, const char *, const struct timespec [2], int);
int futimens(int, const struct timespec [2]);
`,
  },
  'sys/mman.h': {
    constants: `
PROT_GROWSDOWN=16777216 PROT_GROWSUP=33554432 MS_ASYNC=1 MS_INVALIDATE=2 POSIX_MADV_NORMAL=0 POSIX_MADV_RANDOM=1
POSIX_MADV_SEQUENTIAL=2 POSIX_MADV_WILLNEED=3 POSIX_MADV_DONTNEED=4 MCL_CURRENT=1 MCL_FUTURE=2 MCL_ONFAULT=4`,
    text: c`
int posix_madvise(void *, size_t, int);
int munlockall(void);
`,
  },
  'sys/select.h': {
    text: c`
int pselect(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
`,
  },
  'poll.h': {
    constants: `
POLLRDNORM=64 POLLRDBAND=128 POLLWRNORM=256 POLLWRBAND=512`,
    text: c`
#include <signal.h>
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
`,
  },
  'dirent.h': {
    includes: 'sys/types.h',
    text: c`
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
typedef struct __dirstream DIR;
int closedir(DIR *);
DIR *opendir(const char *);
DIR *fdopendir(int);
struct dirent *readdir(DIR *);
int readdir_r(DIR *, struct dirent *, struct dirent **);
void rewinddir(DIR *);
void seekdir(DIR *, long);
long telldir(DIR *);
int dirfd(DIR *);
int scandir(const char *, struct dirent ***, int (*) (const struct dirent *), int (*) (const struct dirent **, const
  struct dirent **));
int alphasort(const struct dirent **, const struct dirent **);
`,
  },
  'ftw.h': {
    includes: 'sys/stat.h',
    constants: `
FTW_F=0 FTW_D=1 FTW_DNR=2 FTW_NS=3 FTW_SL=4 FTW_DP=5 FTW_SLN=6 FTW_PHYS=1 FTW_MOUNT=2 FTW_CHDIR=4 FTW_DEPTH=8`,
    text: c`
struct FTW { int base; int level; };
int ftw(const char *, int (*)(const char *, const struct stat *, int), int);
int nftw(const char *, int (*)(const char *, const struct stat *, int, struct FTW *), int, int);
`,
  },
  'sys/uio.h': {
    includes: 'sys/types.h',
    constants: `
UIO_MAXIOV=1024`,
    text: c`
struct iovec { void *iov_base; size_t iov_len; };
ssize_t readv(int, const struct iovec *, int);
ssize_t writev(int, const struct iovec *, int);
`,
  },
  'sys/statvfs.h': {
    includes: 'sys/types.h',
    constants: `
ST_RDONLY=1 ST_NOSUID=2`,
    text: c`
struct statvfs { unsigned long f_bsize; unsigned long f_frsize; fsblkcnt_t f_blocks; fsblkcnt_t f_bfree; fsblkcnt_t
  f_bavail; fsfilcnt_t f_files; fsfilcnt_t f_ffree; fsfilcnt_t f_favail; unsigned long f_fsid; unsigned long f_flag;
  unsigned long f_namemax; int __f_spare[6]; };
int statvfs(const char *, struct statvfs *);
int fstatvfs(int, struct statvfs *);
`,
  },
  'sys/file.h': {
    includes: 'fcntl.h',
    constants: `
L_SET=0 L_INCR=1 L_XTND=2 LOCK_SH=1 LOCK_EX=2 LOCK_UN=8 LOCK_NB=4`,
    text: c`
int flock(int, int);
`,
  },
  'sys/sendfile.h': {
    includes: 'sys/types.h',
    text: c`
ssize_t sendfile(int, int, off_t *, size_t);
ssize_t sendfile64(int, int, off_t *, size_t);
`,
  },
  'sys/inotify.h': {
    includes: 'stdint.h',
    constants: `
IN_CLOEXEC=524288 IN_NONBLOCK=2048 IN_ACCESS=1 IN_MODIFY=2 IN_ATTRIB=4 IN_CLOSE_WRITE=8 IN_CLOSE_NOWRITE=16
IN_CLOSE=24 IN_OPEN=32 IN_MOVED_FROM=64 IN_MOVED_TO=128 IN_MOVE=192 IN_CREATE=256 IN_DELETE=512 IN_DELETE_SELF=1024
IN_MOVE_SELF=2048 IN_UNMOUNT=8192 IN_Q_OVERFLOW=16384 IN_IGNORED=32768 IN_ONLYDIR=16777216 IN_DONT_FOLLOW=33554432
IN_EXCL_UNLINK=67108864 IN_MASK_CREATE=268435456 IN_MASK_ADD=536870912 IN_ISDIR=1073741824 IN_ONESHOT=2147483648
IN_ALL_EVENTS=4095`,
    text: c`
struct inotify_event { int wd; uint32_t mask; uint32_t cookie; uint32_t len; char name []; };
int inotify_init(void);
int inotify_init1(int);
int inotify_add_watch(int, const char *, uint32_t);
int inotify_rm_watch(int, int);
`,
  },
  'sys/eventfd.h': {
    includes: 'stdint.h',
    constants: `
EFD_SEMAPHORE=1 EFD_CLOEXEC=524288 EFD_NONBLOCK=2048`,
    text: c`
typedef uint64_t eventfd_t;
int eventfd(unsigned int, int);
int eventfd_read(int, eventfd_t *);
int eventfd_write(int, eventfd_t);
`,
  },
  'sys/epoll.h': {
    includes: 'stdint.h signal.h',
    constants: `
EPOLL_CLOEXEC=524288 EPOLLIN=1 EPOLLPRI=2 EPOLLOUT=4 EPOLLRDNORM=64 EPOLLRDBAND=128 EPOLLWRNORM=256 EPOLLWRBAND=512
EPOLLMSG=1024 EPOLLERR=8 EPOLLHUP=16 EPOLLRDHUP=8192 EPOLLEXCLUSIVE=268435456 EPOLLWAKEUP=536870912
EPOLLONESHOT=1073741824 EPOLLET=2147483648 EPOLL_CTL_ADD=1 EPOLL_CTL_DEL=2 EPOLL_CTL_MOD=3`,
    text: c`
typedef union epoll_data { void *ptr; int fd; uint32_t u32; uint64_t u64; } epoll_data_t;
struct __attribute__((packed)) epoll_event { uint32_t events; epoll_data_t data; };
int epoll_create(int);
int epoll_create1(int);
int epoll_ctl(int, int, int, struct epoll_event *);
int epoll_wait(int, struct epoll_event *, int, int);
int epoll_pwait(int, struct epoll_event *, int, int, const sigset_t *);
int epoll_pwait2(int, struct epoll_event *, int, const struct timespec *, const sigset_t *);
`,
  },
  'sys/timerfd.h': {
    includes: 'time.h',
    constants: `
TFD_CLOEXEC=524288 TFD_NONBLOCK=2048 TFD_TIMER_ABSTIME=1 TFD_TIMER_CANCEL_ON_SET=2`,
    text: c`
int timerfd_create(clockid_t, int);
int timerfd_settime(int, int, const struct itimerspec *, struct itimerspec *);
int timerfd_gettime(int, struct itimerspec *);
`,
  },
  'sys/signalfd.h': {
    includes: 'stdint.h signal.h',
    constants: `
SFD_CLOEXEC=524288 SFD_NONBLOCK=2048`,
    text: c`
struct signalfd_siginfo { uint32_t ssi_signo; int32_t ssi_errno; int32_t ssi_code; uint32_t ssi_pid; uint32_t
  ssi_uid; int32_t ssi_fd; uint32_t ssi_tid; uint32_t ssi_band; uint32_t ssi_overrun; uint32_t ssi_trapno; int32_t
  ssi_status; int32_t ssi_int; uint64_t ssi_ptr; uint64_t ssi_utime; uint64_t ssi_stime; uint64_t ssi_addr; uint16_t
  ssi_addr_lsb; uint16_t __pad2; int32_t ssi_syscall; uint64_t ssi_call_addr; uint32_t ssi_arch; uint8_t __pad[28];
  };
int signalfd(int, const sigset_t *, int);
`,
  },
  'termios.h': {
    includes: 'sys/types.h',
    constants: `
NCCS=32 VINTR=0 VQUIT=1 VERASE=2 VKILL=3 VEOF=4 VTIME=5 VMIN=6 VSWTC=7 VSTART=8 VSTOP=9 VSUSP=10 VEOL=11 VREPRINT=12
VDISCARD=13 VWERASE=14 VLNEXT=15 VEOL2=16 IGNBRK=1 BRKINT=2 IGNPAR=4 PARMRK=8 INPCK=16 ISTRIP=32 INLCR=64 IGNCR=128
ICRNL=256 IUCLC=512 IXON=1024 IXANY=2048 IXOFF=4096 IMAXBEL=8192 IUTF8=16384 OPOST=1 OLCUC=2 ONLCR=4 OCRNL=8
ONOCR=16 ONLRET=32 OFILL=64 OFDEL=128 NLDLY=256 NL0=0 NL1=256 CRDLY=1536 CR0=0 CR1=512 CR2=1024 CR3=1536 TABDLY=6144
TAB0=0 TAB1=2048 TAB2=4096 TAB3=6144 BSDLY=8192 BS0=0 BS1=8192 FFDLY=32768 FF0=0 FF1=32768 VTDLY=16384 VT0=0
VT1=16384 B0=0 B50=1 B75=2 B110=3 B134=4 B150=5 B200=6 B300=7 B600=8 B1200=9 B1800=10 B2400=11 B4800=12 B9600=13
B19200=14 B38400=15 B57600=4097 B115200=4098 B230400=4099 B460800=4100 B500000=4101 B576000=4102 B921600=4103
B1000000=4104 B1152000=4105 B1500000=4106 B2000000=4107 B2500000=4108 B3000000=4109 B3500000=4110 B4000000=4111
CSIZE=48 CS5=0 CS6=16 CS7=32 CS8=48 CSTOPB=64 CREAD=128 PARENB=256 PARODD=512 HUPCL=1024 CLOCAL=2048 ISIG=1 ICANON=2
ECHO=8 ECHOE=16 ECHOK=32 ECHONL=64 NOFLSH=128 TOSTOP=256 IEXTEN=32768 TCOOFF=0 TCOON=1 TCIOFF=2 TCION=3 TCIFLUSH=0
TCOFLUSH=1 TCIOFLUSH=2 TCSANOW=0 TCSADRAIN=1 TCSAFLUSH=2`,
    text: c`
typedef unsigned char cc_t;
typedef unsigned int speed_t;
typedef unsigned int tcflag_t;
struct termios { tcflag_t c_iflag; tcflag_t c_oflag; tcflag_t c_cflag; tcflag_t c_lflag; cc_t c_line; cc_t c_cc[32];
  speed_t c_ispeed; speed_t c_ospeed; };
speed_t cfgetospeed(const struct termios *);
speed_t cfgetispeed(const struct termios *);
int cfsetospeed(struct termios *, speed_t);
int cfsetispeed(struct termios *, speed_t);
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
int tcsendbreak(int, int);
int tcdrain(int);
int tcflush(int, int);
int tcflow(int, int);
pid_t tcgetsid(int);
`,
  },
  'sys/ioctl.h': {
    constants: `
TIOCSCTTY=21518 TIOCGWINSZ=21523 TIOCSWINSZ=21524 FIONREAD=21531 FIONBIO=21537 TIOCNOTTY=21538 FIOCLEX=21585
FIOASYNC=21586`,
    text: c`
struct winsize { unsigned short ws_row; unsigned short ws_col; unsigned short ws_xpixel; unsigned short ws_ypixel; };
struct termio { unsigned short c_iflag; unsigned short c_oflag; unsigned short c_cflag; unsigned short c_lflag;
  unsigned char c_line; unsigned char c_cc[8]; };
int ioctl(int, unsigned long, ...);
`,
  },
  'utime.h': {
    includes: 'sys/types.h',
    text: c`
struct utimbuf { time_t actime; time_t modtime; };
int utime(const char *, const struct utimbuf *);
`,
  },
  'aio.h': {
    includes: 'sys/types.h signal.h time.h',
    constants: `
SIGEV_SIGNAL=0 SIGEV_NONE=1 SIGEV_THREAD=2 SIGEV_THREAD_ID=4 AIO_CANCELED=0 AIO_NOTCANCELED=1 AIO_ALLDONE=2
LIO_READ=0 LIO_WRITE=1 LIO_NOP=2 LIO_WAIT=0 LIO_NOWAIT=1`,
    text: c`
struct aiocb { int aio_fildes; int aio_lio_opcode; int aio_reqprio; volatile void *aio_buf; size_t aio_nbytes;
  struct sigevent aio_sigevent; void *__next; long __state[4]; off_t aio_offset; char __padding[32]; };
int aio_read(struct aiocb *);
int aio_write(struct aiocb *);
int lio_listio(int, struct aiocb *const [], int, struct sigevent *);
int aio_error(const struct aiocb *);
ssize_t aio_return(struct aiocb *);
int aio_cancel(int, struct aiocb *);
int aio_suspend(const struct aiocb *const [], int, const struct timespec *);
int aio_fsync(int, struct aiocb *);
`,
  },
  'mqueue.h': {
    includes: 'sys/types.h signal.h time.h',
    text: c`
typedef int mqd_t;
struct mq_attr { long mq_flags; long mq_maxmsg; long mq_msgsize; long mq_curmsgs; long __pad[4]; };
mqd_t mq_open(const char *, int, ...);
int mq_close(mqd_t);
int mq_getattr(mqd_t, struct mq_attr *);
int mq_setattr(mqd_t, const struct mq_attr *, struct mq_attr *);
int mq_unlink(const char *);
int mq_notify(mqd_t, const struct sigevent *);
ssize_t mq_receive(mqd_t, char *, size_t, unsigned int *);
int mq_send(mqd_t, const char *, size_t, unsigned int);
ssize_t mq_timedreceive(mqd_t, char *, size_t, unsigned int *, const struct timespec *);
int mq_timedsend(mqd_t, const char *, size_t, unsigned int, const struct timespec *);
`,
  },
  'cpio.h': {
    constants: `
C_IRUSR=256 C_IWUSR=128 C_IXUSR=64 C_IRGRP=32 C_IWGRP=16 C_IXGRP=8 C_IROTH=4 C_IWOTH=2 C_IXOTH=1 C_ISUID=2048
C_ISGID=1024 C_ISVTX=512 C_ISBLK=24576 C_ISCHR=8192 C_ISDIR=16384 C_ISFIFO=4096 C_ISSOCK=49152 C_ISLNK=40960
C_ISCTG=36864 C_ISREG=32768`,
    text: c`
#define MAGIC "070707"
`,
  },
  'tar.h': {
    constants: `
TSUID=2048 TSGID=1024 TSVTX=512 TUREAD=256 TUWRITE=128 TUEXEC=64 TGREAD=32 TGWRITE=16 TGEXEC=8 TOREAD=4 TOWRITE=2
TOEXEC=1 REGTYPE=48 AREGTYPE=0 LNKTYPE=49 SYMTYPE=50 CHRTYPE=51 BLKTYPE=52 DIRTYPE=53 FIFOTYPE=54 CONTTYPE=55
TMAGLEN=6 TVERSLEN=2`,
    text: c`
#define TMAGIC "ustar"
#define TVERSION "00"
`,
  },
}
