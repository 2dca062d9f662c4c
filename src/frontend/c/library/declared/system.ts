// What headers declare beside what the models' own headers do. Signals, time, and what a process asks of the system.
import { c } from '../part.js'
import type { Declared } from './declared.js'

export const SYSTEM: Readonly<Record<string, Declared>> = {
  'signal.h': {
    constants: `
SIG_HOLD=2 SIGCLD=17 SIGSTKFLT=16 SI_ASYNCNL=(-60) SI_DETHREAD=(-7) SI_TKILL=(-6) SI_SIGIO=(-5) SI_ASYNCIO=(-4)
SI_MESGQ=(-3) SI_TIMER=(-2) SI_QUEUE=(-1) SI_USER=0 SI_KERNEL=128 ILL_ILLOPC=1 ILL_ILLOPN=2 ILL_ILLADR=3
ILL_ILLTRP=4 ILL_PRVOPC=5 ILL_PRVREG=6 ILL_COPROC=7 ILL_BADSTK=8 ILL_BADIADDR=9 FPE_INTDIV=1 FPE_INTOVF=2
FPE_FLTDIV=3 FPE_FLTOVF=4 FPE_FLTUND=5 FPE_FLTRES=6 FPE_FLTINV=7 FPE_FLTSUB=8 FPE_FLTUNK=14 FPE_CONDTRAP=15
SEGV_MAPERR=1 SEGV_ACCERR=2 SEGV_BNDERR=3 SEGV_PKUERR=4 SEGV_ACCADI=5 SEGV_ADIDERR=6 SEGV_ADIPERR=7 SEGV_MTEAERR=8
SEGV_MTESERR=9 BUS_ADRALN=1 BUS_ADRERR=2 BUS_OBJERR=3 BUS_MCEERR_AR=4 BUS_MCEERR_AO=5 TRAP_BRKPT=1 TRAP_TRACE=2
TRAP_BRANCH=3 TRAP_HWBKPT=4 TRAP_UNK=5 CLD_EXITED=1 CLD_KILLED=2 CLD_DUMPED=3 CLD_TRAPPED=4 CLD_STOPPED=5
CLD_CONTINUED=6 POLL_IN=1 POLL_OUT=2 POLL_MSG=3 POLL_ERR=4 POLL_PRI=5 POLL_HUP=6 SIGEV_SIGNAL=0 SIGEV_NONE=1
SIGEV_THREAD=2 SIGEV_THREAD_ID=4 MINSIGSTKSZ=2048 SIGSTKSZ=8192 SS_ONSTACK=1 SS_DISABLE=2`,
    text: c`
typedef struct sigevent { union sigval sigev_value; int sigev_signo, sigev_notify; void
  (*sigev_notify_function)(union sigval); void *sigev_notify_attributes; char __padding[32]; } sigevent_t;
typedef long greg_t;
typedef greg_t gregset_t[23];
typedef struct { gregset_t gregs; void *fpregs; unsigned long long __reserved[8]; } mcontext_t;
typedef struct ucontext_t { unsigned long uc_flags; struct ucontext_t *uc_link; stack_t uc_stack; mcontext_t
  uc_mcontext; sigset_t uc_sigmask; char __padding[528]; } ucontext_t;
int killpg(pid_t, int);
void psignal(int, const char *);
void psiginfo(const siginfo_t *, const char *);
int sigpause(int);
int sigwaitinfo(const sigset_t *, siginfo_t *);
int sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *);
int sigqueue(pid_t, int, const union sigval);
int sighold(int);
int sigrelse(int);
int sigignore(int);
__sighandler_t sigset(int, __sighandler_t);
int pthread_kill(pthread_t, int);
`,
  },
  'time.h': {
    constants: `
CLOCK_REALTIME_ALARM=8 CLOCK_BOOTTIME_ALARM=9 CLOCK_TAI=11`,
    text: c`
typedef struct __locale_struct *locale_t;
typedef int pid_t;
typedef void *timer_t;
struct itimerspec { struct timespec it_interval, it_value; };
struct sigevent;
char *strptime(const char *, const char *, struct tm *);
size_t strftime_l(char *, size_t, const char *, const struct tm *, locale_t);
int clock_settime(clockid_t, const struct timespec *);
int clock_getcpuclockid(pid_t, clockid_t *);
int timer_create(clockid_t, struct sigevent *, timer_t *);
int timer_delete(timer_t);
int timer_settime(timer_t, int, const struct itimerspec *, struct itimerspec *);
int timer_gettime(timer_t, struct itimerspec *);
int timer_getoverrun(timer_t);
struct tm *getdate(const char *);
time_t timegm(struct tm *);
`,
  },
  'sys/time.h': {
    constants: `
ITIMER_REAL=0 ITIMER_VIRTUAL=1 ITIMER_PROF=2`,
    text: c`
struct itimerval { struct timeval it_interval, it_value; };
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op (b)->tv_usec : (a)->tv_sec op (b)->tv_sec)
#define timeradd(a, b, sum) do { (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec; (sum)->tv_usec = (a)->tv_usec + \
  (b)->tv_usec; if ((sum)->tv_usec >= 1000000) { (sum)->tv_sec++; (sum)->tv_usec -= 1000000; } } while (0)
#define timersub(a, b, left) do { (left)->tv_sec = (a)->tv_sec - (b)->tv_sec; (left)->tv_usec = (a)->tv_usec - \
  (b)->tv_usec; if ((left)->tv_usec < 0) { (left)->tv_sec--; (left)->tv_usec += 1000000; } } while (0)
int getitimer(int, struct itimerval *);
int setitimer(int, const struct itimerval *, struct itimerval *);
int utimes(const char *, const struct timeval [2]);
`,
  },
  'sys/types.h': {
    text: c`
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long __heddle_quad;
#ifdef __LP64__
typedef long int64_t;
#else
typedef long long int64_t;
#endif
typedef long register_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef void *timer_t;
`,
  },
  'sys/wait.h': {
    constants: `
WUNTRACED=2 WSTOPPED=2 WEXITED=4 WCONTINUED=8 WNOWAIT=16777216`,
    text: c`
#include <signal.h>
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
#define WTERMSIG(status) ((status) & 127)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFSTOPPED(status) (((status) & 255) == 127)
#define WIFSIGNALED(status) (((status) & 127) != 0 && ((status) & 127) != 127)
int waitid(idtype_t, id_t, siginfo_t *, int);
`,
  },
  'sched.h': {
    text: c`
#include <time.h>
int sched_setparam(pid_t, const struct sched_param *);
int sched_getparam(pid_t, struct sched_param *);
int sched_setscheduler(pid_t, int, const struct sched_param *);
int sched_getscheduler(pid_t);
int sched_rr_get_interval(pid_t, struct timespec *);
`,
  },
  'pthread.h': {
    text: c`
int pthread_attr_getschedparam(const pthread_attr_t *, struct sched_param *);
int pthread_attr_getschedpolicy(const pthread_attr_t *, int *);
int pthread_attr_getinheritsched(const pthread_attr_t *, int *);
int pthread_attr_getscope(const pthread_attr_t *, int *);
int pthread_attr_getstackaddr(const pthread_attr_t *, void **);
int pthread_attr_setstackaddr(pthread_attr_t *, void *);
int pthread_attr_getstack(const pthread_attr_t *, void **, size_t *);
int pthread_attr_setstack(pthread_attr_t *, void *, size_t);
int pthread_mutex_getprioceiling(const pthread_mutex_t *, int *);
int pthread_mutex_setprioceiling(pthread_mutex_t *, int, int *);
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *, int *);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *, int *);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *, int *);
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *, int *);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *, int *);
`,
  },
  'sys/resource.h': {
    includes: 'sys/types.h sys/time.h',
    constants: `
RLIMIT_CPU=0 RLIMIT_FSIZE=1 RLIMIT_DATA=2 RLIMIT_STACK=3 RLIMIT_CORE=4 RLIMIT_RSS=5 RLIMIT_NOFILE=7 RLIMIT_OFILE=7
RLIMIT_AS=9 RLIMIT_NPROC=6 RLIMIT_MEMLOCK=8 RLIMIT_LOCKS=10 RLIMIT_SIGPENDING=11 RLIMIT_MSGQUEUE=12 RLIMIT_NICE=13
RLIMIT_RTPRIO=14 RLIMIT_RTTIME=15 RLIMIT_NLIMITS=16 RLIM_NLIMITS=16 RLIM_INFINITY=(-1UL) RLIM_SAVED_MAX=(-1)
RLIM_SAVED_CUR=(-1) RUSAGE_SELF=0 RUSAGE_CHILDREN=(-1) PRIO_MIN=(-20) PRIO_MAX=20 PRIO_PROCESS=0 PRIO_PGRP=1
PRIO_USER=2`,
    text: c`
typedef unsigned long rlim_t;
struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; };
struct rusage { struct timeval ru_utime; struct timeval ru_stime; union { long ru_maxrss; long __ru_maxrss_word; };
  union { long ru_ixrss; long __ru_ixrss_word; }; union { long ru_idrss; long __ru_idrss_word; }; union { long
  ru_isrss; long __ru_isrss_word; }; union { long ru_minflt; long __ru_minflt_word; }; union { long ru_majflt; long
  __ru_majflt_word; }; union { long ru_nswap; long __ru_nswap_word; }; union { long ru_inblock; long
  __ru_inblock_word; }; union { long ru_oublock; long __ru_oublock_word; }; union { long ru_msgsnd; long
  __ru_msgsnd_word; }; union { long ru_msgrcv; long __ru_msgrcv_word; }; union { long ru_nsignals; long
  __ru_nsignals_word; }; union { long ru_nvcsw; long __ru_nvcsw_word; }; union { long ru_nivcsw; long
  __ru_nivcsw_word; }; };
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
int getrusage(int, struct rusage *);
int getpriority(int, id_t);
int setpriority(int, id_t, int);
`,
  },
  'sys/times.h': {
    includes: 'sys/types.h',
    text: c`
struct tms { clock_t tms_utime; clock_t tms_stime; clock_t tms_cutime; clock_t tms_cstime; };
clock_t times(struct tms *);
`,
  },
  'sys/utsname.h': {
    text: c`
struct utsname { char sysname[65]; char nodename[65]; char release[65]; char version[65]; char machine[65]; char
  __domainname[65]; };
int uname(struct utsname *);
`,
  },
  'sys/sysinfo.h': {
    constants: `
SI_LOAD_SHIFT=16`,
    text: c`
struct sysinfo { long uptime; unsigned long loads[3]; unsigned long totalram; unsigned long freeram; unsigned long
  sharedram; unsigned long bufferram; unsigned long totalswap; unsigned long freeswap; unsigned short procs;
  unsigned short pad; unsigned long totalhigh; unsigned long freehigh; unsigned mem_unit; char __padding[4]; };
int sysinfo(struct sysinfo *);
int get_nprocs_conf(void);
int get_nprocs(void);
long get_phys_pages(void);
long get_avphys_pages(void);
`,
  },
  'sys/param.h': {
    includes: 'sys/types.h limits.h',
    constants: `
HZ=100 EXEC_PAGESIZE=4096 NOGROUP=(-1) MAXHOSTNAMELEN=64 MAXSYMLINKS=20 NOFILE=256 NCARGS=131072 NBBY=8
NGROUPS=65536 CANBSIZ=255 MAXPATHLEN=4096 NODEV=(-1) DEV_BSIZE=512`,
    text: c`
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define howmany(x, y) (((x) + (y) - 1) / (y))
#define roundup(x, y) (howmany(x, y) * (y))
#define powerof2(x) ((((x) - 1) & (x)) == 0)
`,
  },
  'sys/random.h': {
    includes: 'sys/types.h',
    constants: `
GRND_NONBLOCK=1 GRND_RANDOM=2 GRND_INSECURE=4`,
    text: c`
ssize_t getrandom (void *, size_t, unsigned int);
int getentropy (void *, size_t);
`,
  },
  'sys/ipc.h': {
    includes: 'sys/types.h',
    constants: `
IPC_CREAT=512 IPC_EXCL=1024 IPC_NOWAIT=2048 IPC_RMID=0 IPC_SET=1 IPC_STAT=2 IPC_PRIVATE=0`,
    text: c`
struct ipc_perm { key_t __key; uid_t uid; gid_t gid; uid_t cuid; gid_t cgid; mode_t mode; unsigned short __seq;
  unsigned short __pad2; unsigned long __reserved1; unsigned long __reserved2; };
key_t ftok(const char *, int);
`,
  },
  'sys/msg.h': {
    includes: 'sys/ipc.h time.h',
    constants: `
MSG_NOERROR=4096`,
    text: c`
typedef unsigned long msgqnum_t;
typedef unsigned long msglen_t;
struct msqid_ds { struct ipc_perm msg_perm; time_t msg_stime; time_t msg_rtime; time_t msg_ctime; unsigned long
  __msg_cbytes; msgqnum_t msg_qnum; msglen_t msg_qbytes; pid_t msg_lspid; pid_t msg_lrpid; unsigned long
  __reserved4; unsigned long __reserved5; };
int msgctl(int, int, struct msqid_ds *);
int msgget(key_t, int);
ssize_t msgrcv(int, void *, size_t, long, int);
int msgsnd(int, const void *, size_t, int);
`,
  },
  'sys/sem.h': {
    includes: 'sys/ipc.h time.h',
    constants: `
SEM_UNDO=4096 GETPID=11 GETVAL=12 GETALL=13 GETNCNT=14 GETZCNT=15 SETVAL=16 SETALL=17`,
    text: c`
struct semid_ds { struct ipc_perm sem_perm; time_t sem_otime; unsigned long __sem_otime_high; time_t sem_ctime;
  unsigned long __sem_ctime_high; unsigned long sem_nsems; unsigned long __reserved3; unsigned long
  __reserved4; };
struct sembuf { unsigned short sem_num; short sem_op; short sem_flg; };
int semctl(int, int, int, ...);
int semget(key_t, int, int);
int semop(int, struct sembuf *, size_t);
`,
  },
  'sys/shm.h': {
    includes: 'sys/ipc.h time.h',
    constants: `
SHM_R=256 SHM_W=128 SHM_RDONLY=4096 SHM_RND=8192 SHM_REMAP=16384 SHM_EXEC=32768 SHM_LOCK=11 SHM_UNLOCK=12`,
    text: c`
typedef unsigned long shmatt_t;
struct shmid_ds { struct ipc_perm shm_perm; size_t shm_segsz; time_t shm_atime; time_t shm_dtime; time_t shm_ctime;
  pid_t shm_cpid; pid_t shm_lpid; shmatt_t shm_nattch; unsigned long __reserved5; unsigned long
  __reserved6; };
int shmctl(int, int, struct shmid_ds *);
int shmget(key_t, size_t, int);
void *shmat(int, const void *, int);
int shmdt(const void *);
`,
  },
  'syslog.h': {
    includes: 'stdarg.h',
    constants: `
LOG_EMERG=0 LOG_ALERT=1 LOG_CRIT=2 LOG_ERR=3 LOG_WARNING=4 LOG_NOTICE=5 LOG_INFO=6 LOG_DEBUG=7 LOG_PRIMASK=7
LOG_KERN=0 LOG_USER=8 LOG_MAIL=16 LOG_DAEMON=24 LOG_AUTH=32 LOG_SYSLOG=40 LOG_LPR=48 LOG_NEWS=56 LOG_UUCP=64
LOG_CRON=72 LOG_AUTHPRIV=80 LOG_FTP=88 LOG_LOCAL0=128 LOG_LOCAL1=136 LOG_LOCAL2=144 LOG_LOCAL3=152 LOG_LOCAL4=160
LOG_LOCAL5=168 LOG_LOCAL6=176 LOG_LOCAL7=184 LOG_NFACILITIES=24 LOG_FACMASK=1016 LOG_PID=1 LOG_CONS=2 LOG_ODELAY=4
LOG_NDELAY=8 LOG_NOWAIT=16 LOG_PERROR=32`,
    text: c`
#define LOG_MASK(priority) (1 << (priority))
#define LOG_UPTO(priority) ((1 << ((priority) + 1)) - 1)
void vsyslog(int, const char *, va_list);
void closelog(void);
void openlog(const char *, int, int);
int setlogmask(int);
void syslog(int, const char *, ...);
`,
  },
  'error.h': {
    text: c`
extern void (*error_print_progname) (void);
extern unsigned int error_message_count;
extern int error_one_per_line;
void error(int, int, const char *, ...);
void error_at_line(int, int, const char *, unsigned int, const char *, ...);
`,
  },
  'execinfo.h': {
    text: c`
char **backtrace_symbols(void *const *, int);
int backtrace(void **, int);
void backtrace_symbols_fd(void *const *, int, int);
`,
  },
  'dlfcn.h': {
    constants: `
RTLD_LAZY=1 RTLD_NOW=2 RTLD_BINDING_MASK=3 RTLD_NOLOAD=4 RTLD_DEEPBIND=8 RTLD_GLOBAL=256 RTLD_LOCAL=0
RTLD_NODELETE=4096`,
    text: c`
#define RTLD_NEXT ((void *)-1L)
#define RTLD_DEFAULT ((void *)0)
void *dlopen(const char *, int);
int dlclose(void *);
void *dlsym(void *, const char *);
char *dlerror(void);
`,
  },
  'spawn.h': {
    includes: 'sys/types.h signal.h sched.h',
    constants: `
POSIX_SPAWN_RESETIDS=1 POSIX_SPAWN_SETPGROUP=2 POSIX_SPAWN_SETSIGDEF=4 POSIX_SPAWN_SETSIGMASK=8
POSIX_SPAWN_SETSCHEDPARAM=16 POSIX_SPAWN_SETSCHEDULER=32`,
    text: c`
typedef struct { short __flags; pid_t __pgrp; sigset_t __sd; sigset_t __ss; struct sched_param __sp; int __policy;
  int __pad[16]; } posix_spawnattr_t;
typedef struct { int __allocated; int __used; struct __spawn_action *__actions; int __pad[16]; }
  posix_spawn_file_actions_t;
int posix_spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const
  [], char *const []);
int posix_spawnp(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const
  [], char *const []);
int posix_spawnattr_init(posix_spawnattr_t *);
int posix_spawnattr_destroy(posix_spawnattr_t *);
int posix_spawnattr_getsigdefault(const posix_spawnattr_t *, sigset_t *);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *, const sigset_t *);
int posix_spawnattr_getsigmask(const posix_spawnattr_t *, sigset_t *);
int posix_spawnattr_setsigmask(posix_spawnattr_t *, const sigset_t *);
int posix_spawnattr_getflags(const posix_spawnattr_t *, short *);
int posix_spawnattr_setflags(posix_spawnattr_t *, short);
int posix_spawnattr_getpgroup(const posix_spawnattr_t *, pid_t *);
int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t);
int posix_spawnattr_getschedpolicy(const posix_spawnattr_t *, int *);
int posix_spawnattr_setschedpolicy(posix_spawnattr_t *, int);
int posix_spawnattr_getschedparam(const posix_spawnattr_t *, struct sched_param *);
int posix_spawnattr_setschedparam(posix_spawnattr_t *, const struct sched_param *);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *, int, const char *, int, mode_t);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *, int);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int);
`,
  },
  'pwd.h': {
    includes: 'sys/types.h',
    text: c`
struct passwd { char *pw_name; char *pw_passwd; uid_t pw_uid; gid_t pw_gid; char *pw_gecos; char *pw_dir; char
  *pw_shell; };
void setpwent(void);
void endpwent(void);
struct passwd *getpwent(void);
struct passwd *getpwuid(uid_t);
struct passwd *getpwnam(const char *);
int getpwuid_r(uid_t, struct passwd *, char *, size_t, struct passwd **);
int getpwnam_r(const char *, struct passwd *, char *, size_t, struct passwd **);
`,
  },
  'grp.h': {
    includes: 'sys/types.h',
    text: c`
struct group { char *gr_name; char *gr_passwd; gid_t gr_gid; char **gr_mem; };
void setgrent(void);
void endgrent(void);
struct group *getgrent(void);
struct group *getgrgid(gid_t);
struct group *getgrnam(const char *);
int getgrgid_r(gid_t, struct group *, char *, size_t, struct group **);
int getgrnam_r(const char *, struct group *, char *, size_t, struct group **);
`,
  },
  'ulimit.h': {
    constants: `
UL_GETFSIZE=1 UL_SETFSIZE=2`,
    text: c`
long ulimit(int, ...);
`,
  },
  'utmpx.h': {
    includes: 'sys/types.h stdint.h',
    constants: `
EMPTY=0 BOOT_TIME=2 NEW_TIME=3 OLD_TIME=4 INIT_PROCESS=5 LOGIN_PROCESS=6 USER_PROCESS=7 DEAD_PROCESS=8`,
    text: c`
struct __exit_status { short __e_termination; short __e_exit; };
struct utmpx { short ut_type; pid_t ut_pid; char ut_line[32]; char ut_id[4]; char ut_user[32]; char ut_host[256];
  struct __exit_status ut_exit; int32_t ut_session; struct { int32_t tv_sec; int32_t tv_usec; } ut_tv; int32_t
  ut_addr_v6[4]; char __reserved[20]; };
void setutxent(void);
void endutxent(void);
struct utmpx *getutxent(void);
struct utmpx *getutxid(const struct utmpx *);
struct utmpx *getutxline(const struct utmpx *);
struct utmpx *pututxline(const struct utmpx *);
`,
  },
}
